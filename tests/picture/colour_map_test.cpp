// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <set>

#include "picture/colour_map.hpp"

using namespace tgmap::picture;

BOOST_AUTO_TEST_SUITE(colour_map_test)

namespace {

/// Returns the CIE lightness from 0 to 100, which is not the measure that the maps are made with.
double lightness(colour c) {
  const auto linear = [](int x) { return x <= 10 ? x / 255.0 / 12.92 : std::pow((x / 255.0 + 0.055) / 1.055, 2.4); };
  const double y = 0.2126 * linear(c.red) + 0.7152 * linear(c.green) + 0.0722 * linear(c.blue);
  return y > 0.008856 ? 116 * std::cbrt(y) - 16 : 903.3 * y;
}

int distance(colour a, colour b) {
  return std::abs(a.red - b.red) + std::abs(a.green - b.green) + std::abs(a.blue - b.blue);
}

}  // namespace

BOOST_AUTO_TEST_CASE(names) {
  std::set<std::string> seen;
  for (const auto name : colour_map::names()) {
    BOOST_TEST(colour_map::find(name).has_value());
    BOOST_TEST(colour_map::find(std::string(name) + "_r").has_value());
    seen.emplace(name);
  }
  BOOST_TEST(seen.size() >= 4u);
  BOOST_TEST(seen.contains("gray"));
  for (const char* unknown : {"", "_r", "viridis!", "gray_r_r"}) BOOST_TEST(!colour_map::find(unknown).has_value());
}

BOOST_AUTO_TEST_CASE(sequential_maps_grow_lighter_evenly) {
  for (const char* name : {"lagoon", "ember", "frost", "gray"}) {
    const auto map = *colour_map::find(name);
    const double range = lightness(map(1)) - lightness(map(0));
    BOOST_TEST(range > 70, name);
    for (int i = 0; i < 16; ++i) {
      const double step = lightness(map((i + 1) / 16.0)) - lightness(map(i / 16.0));
      BOOST_TEST(step > range / 16 * 0.5, name << " at " << i);
      BOOST_TEST(step < range / 16 * 1.6, name << " at " << i);
    }
  }
}

BOOST_AUTO_TEST_CASE(neighbouring_colours_are_similar) {
  for (const auto name : colour_map::names()) {
    const auto map = *colour_map::find(name);
    for (std::size_t i = 1; i < colour_map::size; ++i) BOOST_TEST(distance(map.at(i), map.at(i - 1)) <= 12, name << i);
  }
}

BOOST_AUTO_TEST_CASE(the_diverging_map_is_light_and_gray_in_the_middle) {
  const auto map = *colour_map::find("balance");
  const colour middle = map(0.5);
  BOOST_TEST(std::abs(middle.red - middle.blue) < 8);
  for (int i = 0; i < 8; ++i) {
    BOOST_TEST(lightness(map(i / 16.0)) < lightness(map((i + 1) / 16.0)));
    BOOST_TEST(lightness(map(1 - i / 16.0)) < lightness(map(1 - (i + 1) / 16.0)));
  }
  BOOST_TEST(map(0).blue > map(0).red);
  BOOST_TEST(map(1).red > map(1).blue);
}

BOOST_AUTO_TEST_CASE(gray_is_gray_and_the_suffix_r_reverses) {
  const auto gray = *colour_map::find("gray"), reversed = *colour_map::find("gray_r");
  for (std::size_t i = 0; i < colour_map::size; ++i) {
    BOOST_TEST((gray.at(i).red == gray.at(i).green && gray.at(i).green == gray.at(i).blue));
    BOOST_TEST((gray.at(i) == reversed.at(colour_map::size - 1 - i)));
  }
}

BOOST_AUTO_TEST_CASE(numbers_beyond_the_ends_get_the_colour_of_the_end) {
  const auto map = *colour_map::find("lagoon");
  BOOST_TEST((map(-1) == map(0)));
  BOOST_TEST((map(7) == map(1)));
  BOOST_TEST((map(0) == map.at(0)));
  BOOST_TEST((map(1) == map.at(255)));
}

BOOST_AUTO_TEST_CASE(colours_of_the_palette_map_to_themselves) {
  constexpr int levels[] = {0, 95, 135, 175, 215, 255};
  const auto byte = [](int x) { return static_cast<std::uint8_t>(x); };
  for (int r = 0; r < 6; ++r)
    for (int g = 0; g < 6; ++g)
      for (int b = 0; b < 6; ++b)
        BOOST_TEST(static_cast<int>(nearest_indexed({byte(levels[r]), byte(levels[g]), byte(levels[b])})) ==
                   16 + 36 * r + 6 * g + b);
  for (int i = 0; i < 24; ++i) {
    const auto light = byte(8 + 10 * i);
    BOOST_TEST(static_cast<int>(nearest_indexed({light, light, light})) == 232 + i);
  }
}

BOOST_AUTO_TEST_SUITE_END()
