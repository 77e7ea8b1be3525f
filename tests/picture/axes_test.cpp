// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>

#include "axis_samples.hpp"
#include "picture/axes.hpp"

using namespace tgmap::picture;
using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(axes_test)

namespace {

std::vector<double> evenly(double from, double to, std::size_t n) {
  std::vector<double> out;
  for (std::size_t i = 0; i < n; ++i) out.push_back(from + (to - from) * i / (n - 1));
  return out;
}

std::string labels(const axis& axis, std::size_t max_count, bool unicode = false) {
  std::string out;
  for (const tick& t : make_ticks(axis, max_count, unicode)) out += (out.empty() ? "" : " ") + t.label;
  return out;
}

double position(const axis& axis, const std::string& label) {
  for (const tick& t : make_ticks(axis, 9, false))
    if (t.label == label) return t.position;
  return -1;
}

}  // namespace

BOOST_AUTO_TEST_CASE(indexes) {
  BOOST_TEST(labels(make_index_axis(0, 720), 8) == "0 200 400 600");
  BOOST_TEST(labels(make_index_axis(0, 7), 9) == "0 1 2 3 4 5 6");
  BOOST_TEST(labels(make_index_axis(95, 20), 5) == "95 100 105 110");
  BOOST_TEST(labels(make_index_axis(0, 0), 5) == "");
  BOOST_TEST(labels(make_index_axis(2, 3, 4), 5) == "2 4 6 8 10");
  BOOST_TEST(position(make_index_axis(2, 3, 4), "6") == 0.5);
  BOOST_TEST(labels(make_index_axis(UINT64_MAX - 9, 10), 2).starts_with("1844674407370955161"));
  BOOST_TEST(labels(make_index_axis(3, 1), 5) == "3");
  BOOST_TEST(position(make_index_axis(0, 4), "1") == 0.375);  // the middle of the second element
}

BOOST_AUTO_TEST_CASE(degrees) {
  const axis north_first = make_axis(axis_kind::latitude, "latitude", 0, evenly(90, -90, 181));
  BOOST_TEST(labels(north_first, 7) == "90S 60S 30S 0 30N 60N 90N");
  BOOST_TEST(labels(north_first, 3, true) == "60°S 0° 60°N");
  BOOST_TEST(!north_first.is_reversed());
  BOOST_TEST(position(north_first, "90N") < 0.01);
  const axis south_first = make_axis(axis_kind::latitude, "latitude", 0, evenly(-90, 90, 181));
  BOOST_TEST(south_first.is_reversed());
  BOOST_TEST(position(south_first, "90N") < 0.01);
  BOOST_TEST(position(south_first, "0") == 0.5, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(labels(make_axis(axis_kind::latitude, "", 0, evenly(47.0, 47.4, 9)), 5) ==
             "47.0N 47.1N 47.2N 47.3N 47.4N");
}

BOOST_AUTO_TEST_CASE(longitudes_wrap_around) {
  BOOST_TEST(labels(make_axis(axis_kind::longitude, "longitude", 0, evenly(0, 359, 360)), 8) ==
             "0 45E 90E 135E 180 135W 90W 45W");
  std::vector<double> over_zero;
  for (int i = 0; i < 60; ++i) over_zero.push_back((330 + i) % 360);
  const axis unwrapped = make_axis(axis_kind::longitude, "longitude", 0, over_zero);
  BOOST_TEST((unwrapped.kind == axis_kind::longitude));
  BOOST_TEST(labels(unwrapped, 5) == "30W 15W 0 15E");
  std::vector<double> over_date_line;
  for (int i = 0; i < 40; ++i) over_date_line.push_back(160 + i > 180 ? 160 + i - 360 : 160 + i);
  BOOST_TEST(labels(make_axis(axis_kind::longitude, "", 0, over_date_line), 4) == "160E 170E 180 170W");
  BOOST_TEST(make_axis(axis_kind::longitude, "", 0, evenly(30, -30, 61)).is_reversed());
}

BOOST_AUTO_TEST_CASE(ticks_of_uneven_values_are_at_their_elements) {
  const axis axis = make_axis(axis_kind::number, "pressure", 0, {1000, 850, 500, 100});
  BOOST_TEST(!axis.is_reversed());
  BOOST_TEST(position(axis, "1000") == 0.125);
  BOOST_TEST(position(axis, "400") == (2 + 0.5 + 0.25) / 4, boost::test_tools::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(coordinates_that_are_not_monotonic_give_an_index_axis) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  for (const std::vector<double>& values : {std::vector<double>{1, 2, 2}, {1, 3, 2}, {1, nan, 3}, {1, 2, inf}, {5}, {}})
    for (const axis_kind kind : {axis_kind::number, axis_kind::latitude}) {
      const axis axis = make_axis(kind, "x", 7, values);
      BOOST_TEST((axis.kind == axis_kind::index));
      BOOST_TEST(axis.size == values.size());
      BOOST_TEST(axis.first == 7u);
    }
}

BOOST_AUTO_TEST_CASE(coordinates_at_the_ends_of_doubles) {
  constexpr double largest = 1.7e308, smallest = std::numeric_limits<double>::denorm_min();
  const axis wide = make_axis(axis_kind::number, "x", 0, {-largest, 0, largest});
  BOOST_TEST(position(wide, "0") == 0.5);
  BOOST_TEST(position(wide, "1e+308") == (1.5 + 1 / 1.7) / 3, boost::test_tools::tolerance(1e-9));
  for (const axis_kind kind : {axis_kind::number, axis_kind::latitude, axis_kind::longitude})
    for (const std::vector<double>& values :
         {std::vector{-largest, largest}, {0, smallest}, {0, smallest, 9 * smallest}}) {
      const auto ticks = make_ticks(make_axis(kind, "x", 0, values), 5, true);
      BOOST_TEST((kind == axis_kind::longitude || ticks.size() >= 2));
      for (const tick& t : ticks) BOOST_TEST((t.position >= 0 && t.position <= 1));
    }
}

BOOST_AUTO_TEST_CASE(ticks_are_within_the_axis) {
  for (const double width : {1e-6, 0.3, 2.9, 3.1, 59.0, 360.0, 1e9})
    for (const axis_kind kind : {axis_kind::number, axis_kind::latitude, axis_kind::longitude})
      for (const std::size_t max_count : {1u, 4u, 10u})
        for (const tick& t : make_ticks(make_axis(kind, "", 0, evenly(-width / 3, width, 50)), max_count, true))
          BOOST_TEST((t.position >= 0 && t.position <= 1));
}

BOOST_AUTO_TEST_SUITE_END()
