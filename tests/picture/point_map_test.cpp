// SPDX-License-Identifier: Apache-2.0
// Maps of scattered points: their sides, and which point each cell shows.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>

#include "picture/point_map.hpp"
#include "picture/terminal/terminal_map.hpp"

using namespace tgmap::picture;

BOOST_AUTO_TEST_SUITE(point_map_test)

namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

std::optional<point_map> map_of(std::vector<double> latitudes, std::vector<double> longitudes) {
  return make_point_map({.latitudes = std::move(latitudes), .longitudes = std::move(longitudes)});
}

/// Returns points every 30 degrees, with a value that is the number of the column.
struct globe {
  std::vector<double> latitudes{}, longitudes{}, values{};
  globe() {
    for (int row = 0; row < 6; ++row)
      for (int column = 0; column < 12; ++column) {
        latitudes.push_back(75 - 30 * row);
        longitudes.push_back(30 * column);
        values.push_back(column);
      }
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_globe_begins_at_greenwich_and_ends_at_the_poles) {
  const globe all;
  const auto map = map_of(all.latitudes, all.longitudes);
  BOOST_TEST_REQUIRE(map.has_value());
  BOOST_TEST(map->is_round());
  BOOST_TEST(map->west == 0);
  BOOST_TEST(map->east == 360);
  BOOST_TEST(map->north == 90);
  BOOST_TEST(map->south == -90);
  BOOST_TEST(!map->rows.is_reversed());  // north is up
  BOOST_TEST(map->rows.size * 2 == map->columns.size);
}

BOOST_AUTO_TEST_CASE(western_longitudes_begin_in_the_west) {
  globe all;
  for (double& each : all.longitudes) each -= 180;
  BOOST_TEST(map_of(all.latitudes, all.longitudes)->west == -180);
}

BOOST_AUTO_TEST_CASE(a_part_across_greenwich_is_not_torn) {
  const auto map = map_of({50, 50, 50, 40, 40, 40}, {350, 0, 10, 350, 0, 10});
  BOOST_TEST_REQUIRE(map.has_value());
  BOOST_TEST(!map->is_round());
  BOOST_TEST(map->east - map->west < 40);
  BOOST_TEST(map->longitudes[1] - map->longitudes[0] == 10);
  BOOST_TEST(map->longitudes[2] - map->longitudes[1] == 10);
}

BOOST_AUTO_TEST_CASE(points_that_are_no_map) {
  BOOST_TEST(!map_of({}, {}));
  BOOST_TEST(!map_of({1, 1}, {1, 2}));
  BOOST_TEST(!map_of({1, 2}, {3, 3}));
  BOOST_TEST(!map_of({1, 91}, {3, 4}));
  BOOST_TEST(!map_of({1, missing}, {3, 4}));
  BOOST_TEST(!map_of({1, 2}, {3, missing}));
  BOOST_TEST(!map_of({1, 2}, {3, 1e30}));
}

BOOST_AUTO_TEST_CASE(each_cell_shows_the_nearest_point) {
  const globe all;
  point_cells cells(*map_of(all.latitudes, all.longitudes), 18, 36);  // 10 degrees each
  cells.add(0, std::span(all.values).first(30));
  cells.add(30, std::span(all.values).subspan(30));
  // Centres of columns are at 5, 15, 25, …, 355 degrees; points at 0, 30, …, 330.
  for (std::size_t row = 1; row < 17; ++row) {
    BOOST_TEST(cells.at(row, 0) == 0);
    BOOST_TEST(cells.at(row, 3) == 1);
    BOOST_TEST(cells.at(row, 33) == 11);
    BOOST_TEST(cells.at(row, 35) == 0);  // beyond 360
  }
}

BOOST_AUTO_TEST_CASE(cells_have_means_of_their_points) {
  point_cells cells(*map_of({60, 60, 0, 0}, {0, 1, 0, 60}), 2, 2);
  const std::vector<double> values{10, 20, 5, std::numeric_limits<double>::infinity()};
  cells.add(0, values);
  BOOST_TEST(cells.at(0, 0) == 15);
  BOOST_TEST(cells.at(1, 0) == 5);
  BOOST_TEST(std::isnan(cells.at(1, 1)));
  BOOST_TEST((cells.content(1, 1) == cell_content::infinite));
}

BOOST_AUTO_TEST_CASE(missing_points_and_places_without_points_differ) {
  // A row of points at 20 degrees north and one at 0, but none in the east of the latter.
  std::vector<double> latitudes, longitudes, values;
  for (int i = 0; i < 21; ++i)
    for (const int latitude : {20, 19, 18, 0})
      if (latitude != 0 || i < 11) {
        latitudes.push_back(latitude);
        longitudes.push_back(i);
        values.push_back(latitude == 20 && i == 0 ? missing : 1);
      }
  point_cells cells(*map_of(latitudes, longitudes), 60, 60);
  cells.add(0, values);
  BOOST_TEST((cells.content(0, 0) == cell_content::missing));
  BOOST_TEST((cells.content(3, 30) == cell_content::finite));
  BOOST_TEST((cells.content(59, 59) == cell_content::outside));
  BOOST_TEST(std::isnan(cells.at(59, 59)));
}

BOOST_AUTO_TEST_CASE(places_outside_are_blank_in_a_terminal) {
  std::vector<double> latitudes, longitudes, values;
  for (int i = 0; i <= 40; ++i)  // a diagonal of points
    for (int j = -2; j <= 2; ++j) {
      latitudes.push_back(i);
      longitudes.push_back(i + j + 10);
      values.push_back(i);
    }
  for (const colour_depth depth : {colour_depth::none, colour_depth::truecolour}) {
    const point_map map = *map_of(latitudes, longitudes);
    const terminal_map plan(map.rows, map.columns, {.colours = depth, .unicode = true, .columns = 40, .rows = 20});
    point_cells cells(map, plan.rows(), plan.columns());
    cells.add(0, values);
    const std::string drawn = plan.draw(cells, scale(0, 40, false), *colour_map::find("gray"), {});
    BOOST_TEST(drawn.find('?') == drawn.npos);
    BOOST_TEST(drawn.find("missing") == drawn.npos);
    BOOST_TEST(drawn.find("   ") != drawn.npos);
  }
}

BOOST_AUTO_TEST_SUITE_END()
