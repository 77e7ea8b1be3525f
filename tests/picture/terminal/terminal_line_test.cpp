// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <sstream>

#include "../axis_samples.hpp"
#include "picture/terminal/terminal_line.hpp"

using namespace tgmap::picture;
using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(terminal_line_test)

namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

std::string draw(const std::vector<double>& numbers, axis along, const terminal_style& style,
                 bool logarithmic = false) {
  const terminal_line plan(std::move(along), style);
  line_cells cells(numbers.size(), plan.columns());
  cells.add(0, numbers);
  tgmap::statistics::accumulator accumulator;
  accumulator.add(numbers);
  return plan.draw(cells, *make_scale(accumulator, logarithmic), {});
}

std::string draw(const std::vector<double>& numbers, const terminal_style& style) {
  return draw(numbers, make_index_axis(0, numbers.size()), style);
}

constexpr terminal_style ascii{.colours = colour_depth::none, .unicode = false, .columns = 40, .rows = 9};
constexpr terminal_style unicode{.colours = colour_depth::none, .unicode = true, .columns = 40, .rows = 9};

}  // namespace

BOOST_AUTO_TEST_CASE(asterisks) {
  BOOST_TEST(draw({0, 1, 4, 9, missing, 9, 4, 1, 0}, ascii) ==
             "  |         **     *          \n"
             "  |         *      **         \n"
             "  |        **       **        \n"
             "5 +      ***         ***      \n"
             "  |     **             **     \n"
             "  |   ***               ***   \n"
             "0 + ***                   *** \n"
             "  +-+--------------+----------\n"
             "    0              5\n");
}

BOOST_AUTO_TEST_CASE(braille) {
  BOOST_TEST(draw({0, 1, 4, 9, missing, 9, 4, 1, 0}, unicode) ==
             "  │          ⡞     ⠘⡆         \n"
             "  │         ⡼⠁      ⠹⡄        \n"
             "  │        ⣰⠃        ⢳⡀       \n"
             "5 ┤       ⢠⠇          ⢧       \n"
             "  │      ⣰⠋           ⠈⢳⡀     \n"
             "  │    ⢀⡼⠁              ⠹⣄    \n"
             "0 ┤ ⢀⡤⠖⠋                 ⠈⠓⠦⣄ \n"
             "  └─┬──────────────┬──────────\n"
             "    0              5\n");
}

BOOST_AUTO_TEST_CASE(a_constant_line_is_centred) {
  BOOST_TEST(draw({3, 3}, ascii) ==
             "  |                           \n"
             "  |                           \n"
             "  |                           \n"
             "3 +      ***************      \n"
             "  |                           \n"
             "  |                           \n"
             "  |                           \n"
             "  +------+-------------+------\n"
             "         0             1\n");
}

BOOST_AUTO_TEST_CASE(peaks_between_columns_are_not_lost) {
  std::vector<double> numbers(100'000, 0.0);
  numbers[70'000] = 1;
  const std::string seen = draw(numbers, ascii);
  BOOST_TEST(seen.substr(0, seen.find('\n')).find('*') != std::string::npos, seen);
}

BOOST_AUTO_TEST_CASE(a_single_number_between_missing_ones_is_drawn) {
  std::vector<double> numbers(20, missing);
  numbers[10] = 4;
  BOOST_TEST(draw(numbers, ascii).find('*') != std::string::npos);
}

BOOST_AUTO_TEST_CASE(longitudes_run_east) {
  const std::string seen = draw({0, 1, 2, 3}, make_axis(axis_kind::longitude, "longitude", 0, {30, 20, 10, 0}), ascii);
  const std::string top = seen.substr(0, seen.find('\n'));
  BOOST_TEST(top.find('*') < 10u, seen);  // the last element, at 0 degrees, is on the left
}

BOOST_AUTO_TEST_CASE(numbers_without_a_logarithm_are_left_out) {
  const std::string seen = draw({0.01, 1, 100, 0, -5, 100}, make_index_axis(0, 6), ascii, true);
  BOOST_TEST(seen.find("100 +") != std::string::npos, seen);
  BOOST_TEST(seen.find("0.01 +") != std::string::npos, seen);
}

BOOST_AUTO_TEST_CASE(the_line_fits_the_window) {
  for (const std::size_t across : {30u, 80u, 200u})
    for (const std::size_t down : {6u, 20u, 50u})
      for (const std::size_t n : {2u, 3u, 50u, 5000u})
        for (const double size : {1e-30, 1.0, 1e12, 1e300}) {
          std::vector<double> numbers;
          for (std::size_t i = 0; i < n; ++i) numbers.push_back(size * std::sin(0.3 * i));
          const std::string seen =
              draw(numbers, {.colours = colour_depth::none, .unicode = true, .columns = across, .rows = down});
          std::istringstream lines(seen);
          std::size_t count = 0;
          for (std::string line; std::getline(lines, line); ++count) BOOST_TEST(width_of(line) <= across, seen);
          BOOST_TEST(count <= down);
        }
}

BOOST_AUTO_TEST_SUITE_END()
