// SPDX-License-Identifier: Apache-2.0
// Images of maps and lines, read back: sizes, and what lies at chosen pixels.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>

#include "picture/map_image.hpp"
#include "picture/plot_image.hpp"

#include "read_image.hpp"

using namespace tgmap::picture;
using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(images)

namespace {

constexpr double absent = std::numeric_limits<double>::quiet_NaN();
constexpr colour white{255, 255, 255};

const colour_map gray = *colour_map::find("gray");

read_image map_of(const std::vector<double>& numbers, axis rows, axis columns, std::optional<image_size> size = {}) {
  const std::uint64_t r = rows.size, c = columns.size;
  const map_image plan(std::move(rows), std::move(columns), size);
  map_cells cells(r, c, plan.rows(), plan.columns());
  tgmap::statistics::accumulator of;
  cells.add(0, numbers, of.add(numbers));
  return *image_from(plan.draw(cells, scale_of(of, false), gray, {.title = "t", .details = "d", .unit = "K"}));
}

read_image plot_of(const std::vector<double>& numbers, std::optional<image_size> size = {}) {
  const plot_image plan(index_axis(0, numbers.size()), size);
  line_cells cells(numbers.size(), plan.columns());
  tgmap::statistics::accumulator of;
  cells.add(0, numbers);
  of.add(numbers);
  return *image_from(plan.draw(cells, *scale_of(of, false), {.title = "t", .details = "d", .unit = "K"}));
}

/// Where a map of usual size lies in its image.
constexpr std::size_t left = 92, top = 78, right_of_map = 142, below_map = 62;

bool is_hatched(const read_image& in, std::size_t x, std::size_t y) {
  bool ground = false, lines = false;
  for (std::size_t i = 0; i < 16; ++i) {
    const colour c = in.at(x + i, y);
    ground = ground || c == missing_ground;
    lines = lines || (c.red < 190 && c.red == c.green);
  }
  return ground && lines;
}

}  // namespace

BOOST_AUTO_TEST_CASE(each_element_has_its_colour_and_missing_ones_are_hatched) {
  if (!can_draw("maps")) return;
  const auto seen = map_of({0, 1, absent, 0.5}, index_axis(0, 2), index_axis(0, 2));
  const std::size_t width = seen.width - left - right_of_map, height = seen.height - top - below_map;
  const auto at = [&](double x, double y) {
    return seen.at(left + static_cast<std::size_t>(x * width), top + static_cast<std::size_t>(y * height));
  };
  BOOST_TEST((at(0.25, 0.25) == gray(0)));
  BOOST_TEST((at(0.75, 0.25) == gray(1)));
  BOOST_TEST((at(0.75, 0.75) == gray(0.5)));
  BOOST_TEST(is_hatched(seen, left + width / 8, top + height * 3 / 4));
  BOOST_TEST((seen.at(2, 2) == white));
}

BOOST_AUTO_TEST_CASE(the_colour_bar_runs_upwards) {
  if (!can_draw("colour bars")) return;
  const auto seen = map_of({0, 1, 2, 3}, index_axis(0, 2), index_axis(0, 2));
  const std::size_t bar = seen.width - right_of_map + 32, bottom = seen.height - below_map;
  BOOST_TEST(seen.at(bar, top + 3).red > 230);
  BOOST_TEST(seen.at(bar, bottom - 3).red < 20);
}

BOOST_AUTO_TEST_CASE(sizes) {
  if (!can_draw("sizes")) return;
  const std::vector<double> numbers(2000, 1.0);
  const auto wide = map_of(numbers, index_axis(0, 20), index_axis(0, 100));
  BOOST_TEST(wide.width == 1200u);
  BOOST_TEST(wide.height < 450u);
  const auto tall = map_of(numbers, index_axis(0, 1000), index_axis(0, 2));
  BOOST_TEST(tall.width == 720u);
  BOOST_TEST(tall.height <= 1000u);
  for (const image_size size : {image_size{100, 100}, {640, 480}, {3000, 400}, {400, 2000}}) {
    const auto map = map_of(numbers, index_axis(0, 20), index_axis(0, 100), size);
    BOOST_TEST((map.width == size.width && map.height == size.height));
    const auto plot = plot_of(numbers, size);
    BOOST_TEST((plot.width == size.width && plot.height == size.height));
  }
}

BOOST_AUTO_TEST_CASE(north_is_up) {
  if (!can_draw("latitudes")) return;
  const axis south_first = axis_of(axis_kind::latitude, "latitude", 0, {-10, 10});
  const auto seen = map_of({0, 0, 1, 1}, south_first, index_axis(0, 2));
  BOOST_TEST((seen.at(left + 50, top + 20) == gray(1)));
  BOOST_TEST((seen.at(left + 50, seen.height - below_map - 20) == gray(0)));
}

BOOST_AUTO_TEST_CASE(maps_without_any_number_are_hatched_all_over) {
  if (!can_draw("missing maps")) return;
  const auto seen = map_of({absent, absent, absent, absent}, index_axis(0, 2), index_axis(0, 2));
  for (const std::size_t x : {left + 10, left + 500}) BOOST_TEST(is_hatched(seen, x, top + 100));
}

BOOST_AUTO_TEST_CASE(lines_go_through_their_points_and_gaps_are_hatched) {
  if (!can_draw("lines")) return;
  const auto seen = plot_of({0, 1, absent, 1, 1});
  constexpr std::size_t from = 104, margin_right = 32, inset = 10;
  const std::size_t width = seen.width - from - margin_right, bottom = seen.height - below_map;
  const auto is_line = [&](double element, std::size_t y) {
    const colour c = seen.at(from + static_cast<std::size_t>((element + 0.5) / 5 * width), y);
    return c.blue > c.red + 40;
  };
  BOOST_TEST(is_line(0, bottom - inset));
  BOOST_TEST(is_line(1, top + inset));
  BOOST_TEST(is_line(3, top + inset));
  BOOST_TEST(is_line(3.5, top + inset));
  BOOST_TEST(!is_line(2, top + inset));
  BOOST_TEST(is_hatched(seen, from + width / 2, (top + bottom) / 2 + 7));
}

BOOST_AUTO_TEST_CASE(words_of_any_length_stay_in_the_image) {
  if (!can_draw("long words")) return;
  const map_image plan(index_axis(0, 2), index_axis(0, 2), image_size{300, 300});
  map_cells cells(2, 2, plan.rows(), plan.columns());
  const std::string long_text = [] {
    std::string out;
    for (int i = 0; i < 200; ++i) out += "ä€𝄞x";
    return out;
  }();
  const auto seen = *image_from(plan.draw(cells, std::nullopt, gray, {.title = long_text, .details = long_text}));
  for (std::size_t y = 0; y < 60; ++y) BOOST_TEST((seen.at(299, y) == white));
}

BOOST_AUTO_TEST_SUITE_END()
