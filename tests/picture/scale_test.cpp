// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>

#include "picture/scale.hpp"

using namespace tgmap::picture;

BOOST_AUTO_TEST_SUITE(scales)

namespace {

constexpr double absent = std::numeric_limits<double>::quiet_NaN(), greatest = std::numeric_limits<double>::max();

std::string labels(const std::vector<mark>& marks) {
  std::string out;
  for (const mark& m : marks) out += (out.empty() ? "" : " ") + m.label;
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(numbers_have_places) {
  const scale s(10, 20, false);
  BOOST_TEST(s(10) == 0);
  BOOST_TEST(s(12.5) == 0.25);
  BOOST_TEST(s(20) == 1);
  BOOST_TEST(s(9) == 0);
  BOOST_TEST(s(21) == 1);
  BOOST_TEST(std::isnan(s(absent)));
}

BOOST_AUTO_TEST_CASE(logarithms) {
  const scale s(0.01, 100, true);
  BOOST_TEST(s(1) == 0.5, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(s(10) == 0.75, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(std::isnan(s(0)));
  BOOST_TEST(std::isnan(s(-1)));
  BOOST_TEST(s(0.001) == 0);
}

BOOST_AUTO_TEST_CASE(one_number_lies_in_the_middle) {
  for (const bool logarithmic : {false, true}) {
    const scale s(5, 5, logarithmic);
    BOOST_TEST(s(5) == 0.5);
    BOOST_TEST(s(4) == 0);
    BOOST_TEST(s(6) == 1);
    BOOST_TEST(labels(marks_of(s, 5)) == "5");
  }
}

BOOST_AUTO_TEST_CASE(the_widest_scale_does_not_overflow) {
  const scale s(-greatest, greatest, false);
  BOOST_TEST(s(0) == 0.5);
  BOOST_TEST(s(greatest) == 1);
  BOOST_TEST(marks_of(s, 5).size() >= 2u);
}

BOOST_AUTO_TEST_CASE(scales_of_numbers) {
  tgmap::statistics::accumulator of;
  BOOST_TEST(!scale_of(of, false).has_value());
  of.add(std::vector<double>{-2, 0, 3, 8, absent});
  BOOST_TEST(scale_of(of, false)->least() == -2);
  BOOST_TEST(scale_of(of, true)->least() == 3);
  BOOST_TEST(scale_of(of, true)->greatest() == 8);
  tgmap::statistics::accumulator below;
  below.add(std::vector<double>{-2, 0});
  BOOST_TEST(!scale_of(below, true).has_value());
}

BOOST_AUTO_TEST_CASE(round_numbers) {
  BOOST_TEST(labels(marks_of(scale(236, 299, false), 7)) == "240 250 260 270 280 290");
  BOOST_TEST(labels(marks_of(scale(-0.73, 0.92, false), 5)) == "-0.5 0 0.5");
  BOOST_TEST(labels(marks_of(scale(0, 1, false), 5)) == "0 0.2 0.4 0.6 0.8 1.0");
  BOOST_TEST(labels(marks_of(scale(0.3, 0.7, false), 4)) == "0.3 0.4 0.5 0.6 0.7");
  BOOST_TEST(labels(marks_of(scale(0, 3e7, false), 3)) == "0 1e+07 2e+07 3e+07");
  BOOST_TEST(labels(marks_of(scale(0, 5e-7, false), 5)) == "0 1e-07 2e-07 3e-07 4e-07 5e-07");
  BOOST_TEST(labels(marks_of(scale(0.008, 100, true), 9)) == "0.01 0.1 1 10 100");
  BOOST_TEST(labels(marks_of(scale(1e-12, 1e12, true), 5)) == "1e-12 1e-06 1 1000000 1000000000000");
  BOOST_TEST(labels(marks_of(scale(2, 7, true), 5)) == "2 3 4 5 6 7");
}

BOOST_AUTO_TEST_CASE(marks_lie_where_their_numbers_do) {
  for (const mark& m : marks_of(scale(236, 299, false), 7))
    BOOST_TEST(std::fabs(m.place - (std::stod(m.label) - 236) / 63) < 1e-9);
  for (const double width : {1e-300, 1e-9, 0.7, 33.0, 1e15, 1e300})
    for (const std::size_t most : {2u, 5u, 9u}) {
      const auto marks = marks_of(scale(width / 3, width * 4 / 3, false), most);
      BOOST_TEST(marks.size() >= 1u);
      BOOST_TEST(marks.size() <= most + 1);
      for (const mark& m : marks) BOOST_TEST((m.place >= 0 && m.place <= 1));
    }
}

BOOST_AUTO_TEST_CASE(numbers_in_words) {
  BOOST_TEST(number_text(0.5) == "0.5");
  BOOST_TEST(number_text(-0.0) == "0");
  BOOST_TEST(number_text(101325) == "101325");
  BOOST_TEST(number_text(16777217) == "16777217");
  BOOST_TEST(number_text(1.0 / 3) == "0.333333");
  BOOST_TEST(number_text(1e22) == "1e+22");
  BOOST_TEST(number_text(1.2e-7) == "1.2e-07");
}

BOOST_AUTO_TEST_SUITE_END()
