// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <sstream>
#include <support/rounds.hpp>

#include "../axis_samples.hpp"
#include "picture/terminal/terminal_map.hpp"

using namespace tgmap::picture;
using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(terminal_map_test)

namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

constexpr terminal_style small{.colours = colour_depth::none, .unicode = false, .columns = 30, .rows = 9};
constexpr terminal_style coloured{.colours = colour_depth::truecolour, .unicode = true, .columns = 60, .rows = 20};

std::string draw(const std::vector<double>& numbers, axis rows, axis columns, const terminal_style& style,
                 const std::string& unit = {}, bool logarithmic = false) {
  const std::uint64_t r = rows.size, c = columns.size;
  const terminal_map plan(std::move(rows), std::move(columns), style);
  map_cells cells(r, c, plan.rows(), plan.columns());
  tgmap::statistics::accumulator accumulator;
  const bool finite = accumulator.add(numbers);
  cells.add(0, numbers, finite);
  return plan.draw(cells, make_scale(accumulator, logarithmic), *colour_map::find("gray"), {.unit = unit});
}

std::vector<double> ramp(std::size_t rows, std::size_t columns) {
  std::vector<double> out;
  for (std::size_t i = 0; i < rows * columns; ++i) out.push_back(static_cast<double>(i % columns));
  return out;
}

/// Returns the columns of the widest line, without escape sequences.
std::size_t width(const std::string& text) {
  std::istringstream lines(text);
  std::size_t out = 0;
  for (std::string line; std::getline(lines, line);) {
    std::string bare;
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (line[i] == '\x1b')
        i = line.find('m', i);
      else
        bare += line[i];
    }
    out = std::max(out, width_of(bare));
  }
  return out;
}

std::size_t height(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace

BOOST_AUTO_TEST_CASE(plain_characters) {
  BOOST_TEST(draw({0, 1, 2, 3, missing, 4, 6, 7, 8}, make_index_axis(0, 3), make_index_axis(0, 3), small, "K") ==
             "  |....::::----\n"
             "0 +....::::----\n"
             "  |====????++++\n"
             "  |====????++++\n"
             "  |####%%%%@@@@\n"
             "2 +####%%%%@@@@\n"
             "  +--+-------+-\n"
             "     0       2\n"
             "   0 :-=+*#%@ 8 K   ? missing\n");
}

BOOST_AUTO_TEST_CASE(a_half_block_shows_two_cells) {
  const terminal_style style{.colours = colour_depth::truecolour, .unicode = true, .columns = 16, .rows = 5};
  const std::string black = "2;6;6;6m", white = "2;242;242;242m", on = "\x1b[38;", background = "\x1b[48;";
  const std::string seen = draw({0, 1, 1, 0}, make_index_axis(0, 2), make_index_axis(0, 2), style);
  BOOST_TEST(seen.starts_with("0 ┤" + on + black + background + black + "▀▀" + on + white + background + white +
                              "▀▀\x1b[0m\n"
                              "1 ┤" +
                              on + white + background + white + "▀▀" + on + black + background + black + "▀▀\x1b[0m\n"),
             seen);
}

BOOST_AUTO_TEST_CASE(missing_cells_are_a_checkerboard) {
  const std::string dark = "2;88;88;88m", light = "2;136;136;136m";
  const std::string seen =
      draw(std::vector<double>(4, missing), make_index_axis(0, 2), make_index_axis(0, 2), coloured);
  BOOST_TEST(seen.find("\x1b[38;" + dark + "\x1b[48;" + light + "▀\x1b[38;" + light + "\x1b[48;" + dark + "▀") !=
                 std::string::npos,
             seen);
  BOOST_TEST(seen.ends_with("   \x1b[48;" + dark + " \x1b[48;" + light + " \x1b[0m missing\n"));
}

BOOST_AUTO_TEST_CASE(without_unicode_cells_are_coloured_blanks) {
  terminal_style style = coloured;
  style.unicode = false;
  const std::string seen = draw(ramp(4, 4), make_index_axis(0, 4), make_index_axis(0, 4), style);
  BOOST_TEST(seen.find("\x1b[48;2;6;6;6m  ") != std::string::npos, seen);
  BOOST_TEST(seen.find("▀") == std::string::npos);
  for (const char c : seen) BOOST_TEST((c & 0x80) == 0);
}

BOOST_AUTO_TEST_CASE(constant_and_missing_maps) {
  BOOST_TEST(draw({5, 5, 5, 5}, make_index_axis(0, 2), make_index_axis(0, 2), small).ends_with("   5 :-=+*#%@ 5\n"));
  BOOST_TEST(draw({5, 5, 5, 5}, make_index_axis(0, 2), make_index_axis(0, 2), small).starts_with("  |++++++++++++\n"));
  const std::string none = draw(std::vector<double>(4, missing), make_index_axis(0, 2), make_index_axis(0, 2), small);
  BOOST_TEST(none.starts_with("  |????????????\n"));
  BOOST_TEST(none.ends_with("   ? missing\n"));
}

BOOST_AUTO_TEST_CASE(logarithms) {
  const std::string seen = draw({-1, 0, 1, 100}, make_index_axis(0, 2), make_index_axis(0, 2), small, "", true);
  BOOST_TEST(seen.starts_with("  |????????????\n"));
  BOOST_TEST(seen.find("1 +......@@@@@@\n") != std::string::npos);
  BOOST_TEST(seen.ends_with("   1 :-=+*#%@ 100, logarithmic\n   ? missing or not above 0\n"));
}

BOOST_AUTO_TEST_CASE(north_is_up_and_east_is_right) {
  const axis south_first = make_axis(axis_kind::latitude, "latitude", 0, {-10, 0, 10});
  const axis east_first = make_axis(axis_kind::longitude, "longitude", 0, {20, 10, 0});
  const std::string seen = draw({0, 0, 8, 0, 0, 0, 0, 0, 0}, south_first, east_first, small);
  BOOST_TEST(seen.find("10S +@@@@........\n") != std::string::npos, seen);
  BOOST_TEST(seen.find("10N +............\n") != std::string::npos, seen);
  BOOST_TEST(seen.find("10N") < seen.find("10S"));
}

BOOST_AUTO_TEST_CASE(the_map_fits_the_window_whatever_the_shape) {
  tgmap_test::case_sampler cases(5);
  const std::size_t sides[] = {2, 3, 7, 40, 1000, 30'000};
  for (const std::size_t rows : sides)
    for (const std::size_t columns : sides) {
      if (rows * columns > 2'000'000) continue;
      const auto numbers = ramp(rows, columns);
      for (const bool unicode : {false, true})
        for (const colour_depth depth : {colour_depth::none, colour_depth::indexed})
          for (const std::size_t across : {30u, 80u, 213u})
            for (const std::size_t down : {8u, 19u, 60u}) {
              if (!cases.takes_next()) continue;
              const terminal_style style{.colours = depth, .unicode = unicode, .columns = across, .rows = down};
              const std::string seen = draw(numbers, make_index_axis(0, rows), make_index_axis(0, columns), style);
              BOOST_TEST_CONTEXT(rows << " x " << columns << " in " << across << " x " << down) {
                BOOST_TEST(width(seen) <= across);
                BOOST_TEST(height(seen) <= down);
              }
            }
    }
}

BOOST_AUTO_TEST_CASE(shapes_are_kept_if_they_fit) {
  const auto shape = [](std::size_t rows, std::size_t columns, const terminal_style& style) {
    const terminal_map plan(make_index_axis(0, rows), make_index_axis(0, columns), style);
    return std::pair(plan.rows(), plan.columns());
  };
  const terminal_style wide{.colours = colour_depth::indexed, .unicode = true, .columns = 106, .rows = 103};
  BOOST_TEST((shape(100, 100, wide) == std::pair<std::size_t, std::size_t>(100, 100)));
  BOOST_TEST((shape(1000, 1000, wide).first == shape(1000, 1000, wide).second));
  BOOST_TEST((shape(3, 4, wide) == std::pair<std::size_t, std::size_t>(18, 24)));  // magnified
  BOOST_TEST((shape(20, 10'000, wide).first == 8));                                // the minimum
  terminal_style letters = wide;
  letters.colours = colour_depth::none;
  BOOST_TEST((shape(40, 40, letters) == std::pair<std::size_t, std::size_t>(40, 80)));
}

BOOST_AUTO_TEST_SUITE_END()
