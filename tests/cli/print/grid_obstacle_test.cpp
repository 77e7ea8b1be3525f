// SPDX-License-Identifier: Apache-2.0
#include "cli/print/grid_obstacle.hpp"

#include <boost/test/unit_test.hpp>
#include <vector>

BOOST_AUTO_TEST_SUITE(grid_obstacles)

BOOST_AUTO_TEST_CASE(every_kind_has_words) {
  using kinds = tgmap::grid_obstacle_kind;
  const std::vector<std::uint64_t> shape{3, 9};
  const auto text = [&](const tgmap::grid_obstacle& of) { return tgmap::cli::text_of(of, shape); };
  BOOST_TEST(text({}) == "");
  BOOST_TEST(text({.kind = kinds::other_grid, .key = "mars.grid", .value = "O1280"}) == "mars.grid is O1280");
  BOOST_TEST(text({.kind = kinds::bad_area, .key = "mars.area"}) == "mars.area is of another kind");
  BOOST_TEST(text({.kind = kinds::other_order, .key = "jPointsAreConsecutive"}) == "jPointsAreConsecutive is set");
  BOOST_TEST(text({.kind = kinds::grid_missing}) == "mars.area is stated without mars.grid");
  BOOST_TEST(text({.kind = kinds::area_missing}) == "mars.area is missing");
  BOOST_TEST(text({.kind = kinds::too_few_dimensions}) == "the object does not have two dimensions");
  BOOST_TEST(text({.kind = kinds::disagreement, .key = "mars.area", .value = "90/0/-90/315"}) ==
             "mars.area 90/0/-90/315 and the shape [3, 9] disagree");
  BOOST_TEST(text({.kind = kinds::disagreement, .key = "mars.area", .value = "90/0/-90/315", .steps = {{0.5, 90}}}) ==
             "mars.area 90/0/-90/315, mars.grid 0.5/90 and the shape [3, 9] disagree");
}

BOOST_AUTO_TEST_SUITE_END()
