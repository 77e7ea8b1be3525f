// SPDX-License-Identifier: Apache-2.0
// Draws maps and lines as images, decodes them, and checks sizes and pixels.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>

#include "picture/image/image_line.hpp"
#include "picture/image/image_map.hpp"

#include "../axis_samples.hpp"
#include "image_reader.hpp"

using namespace tgmap::picture;
using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(image_plots_test)

namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN(), infinite = std::numeric_limits<double>::infinity();
constexpr colour white{255, 255, 255};

const colour_map gray = *colour_map::find("gray");

decoded_image map_of(const std::vector<double>& numbers, axis rows, axis columns, std::optional<image_size> size = {},
                     bool logarithmic = false) {
  const std::uint64_t r = rows.size, c = columns.size;
  const image_map plan(std::move(rows), std::move(columns), size);
  map_cells cells(r, c, plan.rows(), plan.columns());
  tgmap::statistics::accumulator accumulator;
  cells.add(0, numbers, accumulator.add(numbers));
  return *read_png(
      plan.draw(cells, make_scale(accumulator, logarithmic), gray, {.title = "t", .details = "d", .unit = "K"}));
}

decoded_image plot_of(const std::vector<double>& numbers, std::optional<image_size> size = {},
                      bool logarithmic = false) {
  const image_line plan(make_index_axis(0, numbers.size()), size);
  line_cells cells(numbers.size(), plan.columns());
  tgmap::statistics::accumulator accumulator;
  cells.add(0, numbers);
  accumulator.add(numbers);
  return *read_png(
      plan.draw(cells, *make_scale(accumulator, logarithmic), {.title = "t", .details = "d", .unit = "K"}));
}

/// Margins of a map in an image of default size.
constexpr std::size_t left = 92, top = 78, right_of_map = 142, below_map = 62;

bool is_hatched(const decoded_image& in, std::size_t x, std::size_t y) {
  bool background = false, lines = false;
  for (std::size_t i = 0; i < 16; ++i) {
    const colour c = in.at(x + i, y);
    background = background || c == missing_background;
    lines = lines || (c.red < 190 && c.red == c.green);
  }
  return background && lines;
}

/// Returns true if the pixels right of and below a position are stripes of this kind of gap, and nothing else.
bool is_striped(const decoded_image& in, std::size_t x, std::size_t y, std::size_t side, gap_kind kind) {
  const gap_pattern& wanted = pattern_of(kind);
  bool background = false, lines = false;
  for (std::size_t i = 0; i < side * side; ++i) {
    const colour c = in.at(x + i % side, y + i / side);
    if (!(c == wanted.background || c == wanted.lines)) return false;
    background = background || c == wanted.background;
    lines = lines || c == wanted.lines;
  }
  return background && lines;
}

pixel gray_pixel(int light) {
  const auto l = static_cast<std::uint8_t>(light);
  return {{l, l, l}, 255};
}

std::vector<int> lights(const std::vector<pixel>& of) {
  std::vector<int> out;
  for (const pixel& p : of) out.push_back(p.opacity == 0 ? -1 : p.rgb.red);
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(each_element_has_its_colour_and_missing_ones_are_hatched) {
  if (!can_draw("maps")) return;
  const auto seen = map_of({0, 1, missing, 0.5}, make_index_axis(0, 2), make_index_axis(0, 2));
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
  const auto seen = map_of({0, 1, 2, 3}, make_index_axis(0, 2), make_index_axis(0, 2));
  const std::size_t bar = seen.width - right_of_map + 32, bottom = seen.height - below_map;
  BOOST_TEST(seen.at(bar, top + 3).red > 230);
  BOOST_TEST(seen.at(bar, bottom - 3).red < 20);
}

BOOST_AUTO_TEST_CASE(sizes) {
  if (!can_draw("sizes")) return;
  const std::vector<double> numbers(2000, 1.0);
  const auto wide = map_of(numbers, make_index_axis(0, 20), make_index_axis(0, 100));
  BOOST_TEST(wide.width == 1200u);
  BOOST_TEST(wide.height < 450u);
  const auto tall = map_of(numbers, make_index_axis(0, 1000), make_index_axis(0, 2));
  BOOST_TEST(tall.width == 720u);
  BOOST_TEST(tall.height <= 1000u);
  for (const image_size size : {image_size{100, 100}, {640, 480}, {3000, 400}, {400, 2000}}) {
    const auto map = map_of(numbers, make_index_axis(0, 20), make_index_axis(0, 100), size);
    BOOST_TEST((map.width == size.width && map.height == size.height));
    const auto plot = plot_of(numbers, size);
    BOOST_TEST((plot.width == size.width && plot.height == size.height));
  }
}

BOOST_AUTO_TEST_CASE(north_is_up) {
  if (!can_draw("latitudes")) return;
  const axis south_first = make_axis(axis_kind::latitude, "latitude", 0, {-10, 10});
  const auto seen = map_of({0, 0, 1, 1}, south_first, make_index_axis(0, 2));
  BOOST_TEST((seen.at(left + 50, top + 20) == gray(1)));
  BOOST_TEST((seen.at(left + 50, seen.height - below_map - 20) == gray(0)));
}

BOOST_AUTO_TEST_CASE(maps_without_numbers_are_hatched) {
  if (!can_draw("missing maps")) return;
  const auto seen = map_of({missing, missing, missing, missing}, make_index_axis(0, 2), make_index_axis(0, 2));
  for (const std::size_t x : {left + 10, left + 500}) BOOST_TEST(is_hatched(seen, x, top + 100));
}

BOOST_AUTO_TEST_CASE(lines_pass_their_points_and_gaps_are_hatched) {
  if (!can_draw("lines")) return;
  const auto seen = plot_of({0, 1, missing, 1, 1});
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

BOOST_AUTO_TEST_CASE(kinds_of_gaps_are_told_apart) {
  const auto scale = make_scale(
      [] {
        tgmap::statistics::accumulator out;
        out.add(std::vector<double>{-1, 1, 10});
        return out;
      }(),
      true);
  BOOST_TEST((find_gap(cell_content::missing, missing, scale) == gap_kind::missing));
  BOOST_TEST((find_gap(cell_content::infinite, missing, scale) == gap_kind::infinite));
  BOOST_TEST((find_gap(cell_content::finite, -1, scale) == gap_kind::not_drawn));
  BOOST_TEST((find_gap(cell_content::finite, 5, scale) == std::nullopt));
  BOOST_TEST(pattern_of(gap_kind::missing).word == "missing");
  BOOST_TEST(pattern_of(gap_kind::infinite).word == "infinite");
  BOOST_TEST(pattern_of(gap_kind::not_drawn).word == "not above 0");
  for (const std::string_view name : colour_map::names())
    for (std::size_t i = 0; i < colour_map::size; ++i)
      for (const gap_kind each : {gap_kind::infinite, gap_kind::not_drawn})
        BOOST_TEST(!(colour_map::find(name)->at(i) == pattern_of(each).lines), name);
}

BOOST_AUTO_TEST_CASE(a_map_and_its_legend_show_each_kind_of_gap) {
  if (!can_draw("kinds of gaps")) return;
  const auto seen =
      map_of({-1, infinite, missing, 10}, make_index_axis(0, 2), make_index_axis(0, 2), std::nullopt, true);
  const std::size_t width = seen.width - left - right_of_map, height = seen.height - top - below_map;
  const auto is = [&](std::size_t x, std::size_t y, gap_kind kind) {
    return is_striped(seen, left + width * x / 4, top + height * y / 4, 16, kind);
  };
  BOOST_TEST(is(1, 1, gap_kind::not_drawn));
  BOOST_TEST(is(3, 1, gap_kind::infinite));
  BOOST_TEST(is(1, 3, gap_kind::missing));
  const std::size_t legend = seen.width - right_of_map + 22, below = seen.height - below_map + 6;
  std::size_t row = 0;
  for (const gap_kind each : {gap_kind::missing, gap_kind::infinite, gap_kind::not_drawn})
    BOOST_TEST(is_striped(seen, legend + 3, below + 18 * row++ + 3, 8, each), row);

  const auto one = map_of({1, infinite, 2, 10}, make_index_axis(0, 2), make_index_axis(0, 2));
  BOOST_TEST(is_striped(one, legend + 3, below + 3, 8, gap_kind::infinite));
  BOOST_TEST((one.at(legend + 6, below + 18 + 6) == white));
}

BOOST_AUTO_TEST_CASE(a_line_and_its_legend_show_each_kind_of_gap) {
  if (!can_draw("gaps of lines")) return;
  const auto seen = plot_of({1, missing, infinite, -1, 10}, std::nullopt, true);
  constexpr std::size_t from = 104, margin_right = 32;
  const std::size_t width = seen.width - from - margin_right;
  std::size_t element = 1;
  for (const gap_kind each : {gap_kind::missing, gap_kind::infinite, gap_kind::not_drawn})
    BOOST_TEST(is_striped(seen, from + width * (2 * element++ + 1) / 10, top + 14, 16, each), element);
  const std::size_t y = seen.height - below_map + 35 + 4;
  for (const gap_kind each : {gap_kind::missing, gap_kind::infinite, gap_kind::not_drawn}) {
    bool found = false;
    for (std::size_t x = seen.width / 2; x + 8 < seen.width; ++x) found = found || is_striped(seen, x, y, 6, each);
    BOOST_TEST(found, pattern_of(each).word);
  }
}

BOOST_AUTO_TEST_CASE(text_of_any_length_stays_in_the_image) {
  if (!can_draw("long text")) return;
  const image_map plan(make_index_axis(0, 2), make_index_axis(0, 2), image_size{300, 300});
  map_cells cells(2, 2, plan.rows(), plan.columns());
  const std::string long_text = [] {
    std::string out;
    for (int i = 0; i < 200; ++i) out += "ä€𝄞x";
    return out;
  }();
  const auto seen = *read_png(plan.draw(cells, std::nullopt, gray, {.title = long_text, .details = long_text}));
  for (std::size_t y = 0; y < 60; ++y) BOOST_TEST((seen.at(299, y) == white));
}

BOOST_AUTO_TEST_CASE(whole_multiples_repeat_pixels) {
  BOOST_TEST(lights(enlarge({gray_pixel(0), gray_pixel(100), gray_pixel(200), {}}, 2, 4, 4)) ==
                 (std::vector<int>{0, 0, 100, 100, 0, 0, 100, 100, 200, 200, -1, -1, 200, 200, -1, -1}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(shared_pixels_are_mixed) {
  BOOST_TEST(lights(enlarge({gray_pixel(0), gray_pixel(120)}, 2, 1, 3)) == (std::vector<int>{0, 60, 120}),
             boost::test_tools::per_element());
  BOOST_TEST(
      lights(enlarge({gray_pixel(0), gray_pixel(120), gray_pixel(0)}, 3, 1, 4)) == (std::vector<int>{0, 80, 80, 0}),
      boost::test_tools::per_element());
  const auto beside_transparent = enlarge({gray_pixel(50), {}}, 2, 1, 3);
  BOOST_TEST(static_cast<int>(beside_transparent[1].rgb.red) == 50);
  BOOST_TEST(static_cast<int>(beside_transparent[1].opacity) == 128);
}

BOOST_AUTO_TEST_CASE(the_same_size_changes_nothing) {
  std::vector<pixel> all;
  for (int i = 0; i < 35; ++i) all.push_back(gray_pixel(i));
  BOOST_TEST(lights(enlarge(all, 7, 5, 7)) == lights(all), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
