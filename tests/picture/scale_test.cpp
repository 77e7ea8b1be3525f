// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "picture/scale.hpp"

using namespace tgmap::picture;

BOOST_AUTO_TEST_SUITE(scale_test)

namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN(), largest = std::numeric_limits<double>::max();

std::string labels(const std::vector<tick>& ticks) {
  std::string out;
  for (const tick& t : ticks) out += (out.empty() ? "" : " ") + t.label;
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(numbers_have_positions) {
  const scale s(10, 20, false);
  BOOST_TEST(s(10) == 0);
  BOOST_TEST(s(12.5) == 0.25);
  BOOST_TEST(s(20) == 1);
  BOOST_TEST(s(9) == 0);
  BOOST_TEST(s(21) == 1);
  BOOST_TEST(std::isnan(s(missing)));
}

BOOST_AUTO_TEST_CASE(logarithms) {
  const scale s(0.01, 100, true);
  BOOST_TEST(s(1) == 0.5, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(s(10) == 0.75, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(std::isnan(s(0)));
  BOOST_TEST(std::isnan(s(-1)));
  BOOST_TEST(s(0.001) == 0);
}

BOOST_AUTO_TEST_CASE(a_scale_of_one_number_is_centred) {
  for (const bool logarithmic : {false, true}) {
    const scale s(5, 5, logarithmic);
    BOOST_TEST(s(5) == 0.5);
    BOOST_TEST(s(4) == 0);
    BOOST_TEST(s(6) == 1);
    BOOST_TEST(labels(make_ticks(s, 5)) == "5");
  }
}

BOOST_AUTO_TEST_CASE(the_widest_scale_does_not_overflow) {
  const scale s(-largest, largest, false);
  BOOST_TEST(s(0) == 0.5);
  BOOST_TEST(s(largest) == 1);
  BOOST_TEST(make_ticks(s, 5).size() >= 2u);
  BOOST_TEST(labels(make_ticks(scale(-1.7e308, 1.7e308, false), 5)) == "-1e+308 0 1e+308");
  BOOST_TEST(labels(make_ticks(scale(-1.7e308, 1.7e308, false), 9)) ==
             "-1.5e+308 -1e+308 -5e+307 0 5e+307 1e+308 1.5e+308");
  for (const tick& t : make_ticks(scale(-1.7e308, 1.7e308, false), 9))
    BOOST_TEST(t.position == (std::stod(t.label) / 1.7e308 + 1) / 2, boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(the_smallest_numbers_have_positions) {
  constexpr double smallest = std::numeric_limits<double>::denorm_min();
  for (const double n : {1., 2., 3., 4., 1000.}) {
    const scale s(0, n * smallest, false);
    BOOST_TEST(s(0) == 0);
    BOOST_TEST(s(smallest) == 1 / n);
    BOOST_TEST(s(n * smallest) == 1);
    const auto ticks = make_ticks(s, 5);
    BOOST_TEST(ticks.size() >= 2u);
    for (const tick& t : ticks) BOOST_TEST(t.position == std::strtod(t.label.c_str(), nullptr) / smallest / n);
  }
  BOOST_TEST(scale(smallest, 8 * smallest, true)(2 * smallest) == 1. / 3, boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(each_tick_has_a_label_and_a_place_of_its_own) {
  for (const auto& [min, max] :
       {std::pair(1e16, 1e16 + 8), {1e6, 1e6 + 1}, {1, 1 + 1e-9}, {-1e300, -1e300 * (1 - 1e-15)}}) {
    const auto ticks = make_ticks(scale(min, max, false), 6);
    BOOST_TEST(ticks.size() >= 2u);
    BOOST_TEST(ticks.size() <= 7u);
    for (std::size_t i = 1; i < ticks.size(); ++i) {
      BOOST_TEST(ticks[i].position > ticks[i - 1].position);
      BOOST_TEST(ticks[i].label != ticks[i - 1].label);
    }
  }
}

BOOST_AUTO_TEST_CASE(scales_of_numbers) {
  tgmap::statistics::accumulator accumulator;
  BOOST_TEST(!make_scale(accumulator, false).has_value());
  accumulator.add(std::vector<double>{-2, 0, 3, 8, missing});
  BOOST_TEST(make_scale(accumulator, false)->min() == -2);
  BOOST_TEST(make_scale(accumulator, true)->min() == 3);
  BOOST_TEST(make_scale(accumulator, true)->max() == 8);
  tgmap::statistics::accumulator below;
  below.add(std::vector<double>{-2, 0});
  BOOST_TEST(!make_scale(below, true).has_value());
}

BOOST_AUTO_TEST_CASE(round_numbers) {
  BOOST_TEST(labels(make_ticks(scale(236, 299, false), 7)) == "240 250 260 270 280 290");
  BOOST_TEST(labels(make_ticks(scale(-0.73, 0.92, false), 5)) == "-0.5 0 0.5");
  BOOST_TEST(labels(make_ticks(scale(0, 1, false), 5)) == "0 0.2 0.4 0.6 0.8 1.0");
  BOOST_TEST(labels(make_ticks(scale(0.3, 0.7, false), 4)) == "0.3 0.4 0.5 0.6 0.7");
  BOOST_TEST(labels(make_ticks(scale(0, 3e7, false), 3)) == "0 1e+07 2e+07 3e+07");
  BOOST_TEST(labels(make_ticks(scale(0, 5e-7, false), 5)) == "0 1e-07 2e-07 3e-07 4e-07 5e-07");
  BOOST_TEST(labels(make_ticks(scale(0.008, 100, true), 9)) == "0.01 0.1 1 10 100");
  BOOST_TEST(labels(make_ticks(scale(1e-12, 1e12, true), 5)) == "1e-12 1e-06 1 1000000 1000000000000");
  BOOST_TEST(labels(make_ticks(scale(2, 7, true), 5)) == "2 3 4 5 6 7");
}

BOOST_AUTO_TEST_CASE(ticks_are_at_their_numbers) {
  for (const tick& t : make_ticks(scale(236, 299, false), 7))
    BOOST_TEST(std::fabs(t.position - (std::stod(t.label) - 236) / 63) < 1e-9);
  for (const double width : {1e-300, 1e-9, 0.7, 33.0, 1e15, 1e300})
    for (const std::size_t max_count : {2u, 5u, 9u}) {
      const auto ticks = make_ticks(scale(width / 3, width * 4 / 3, false), max_count);
      BOOST_TEST(ticks.size() >= 1u);
      BOOST_TEST(ticks.size() <= max_count + 1);
      for (const tick& t : ticks) BOOST_TEST((t.position >= 0 && t.position <= 1));
    }
}

BOOST_AUTO_TEST_CASE(numbers_as_text) {
  BOOST_TEST(number_text(0.5) == "0.5");
  BOOST_TEST(number_text(-0.0) == "0");
  BOOST_TEST(number_text(101325) == "101325");
  BOOST_TEST(number_text(16777217) == "16777217");
  BOOST_TEST(number_text(1.0 / 3) == "0.333333");
  BOOST_TEST(number_text(1e22) == "1e+22");
  BOOST_TEST(number_text(1.2e-7) == "1.2e-07");
}

BOOST_AUTO_TEST_SUITE_END()
