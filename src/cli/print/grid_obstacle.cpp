// SPDX-License-Identifier: Apache-2.0
#include "cli/print/grid_obstacle.hpp"

#include <fmt/format.h>

#include "grid/slice.hpp"

namespace tgmap::cli {

std::string text_of(const grid_obstacle& of, std::span<const std::uint64_t> shape) {
  switch (of.kind) {
    case grid_obstacle_kind::none: break;
    case grid_obstacle_kind::other_grid:
    case grid_obstacle_kind::bad_area:
      return fmt::format("{} is {}", of.key, of.value.empty() ? "of another kind" : of.value);
    case grid_obstacle_kind::other_order: return of.key + " is set";
    case grid_obstacle_kind::grid_missing: return "mars.area is stated without mars.grid";
    case grid_obstacle_kind::area_missing: return "mars.area is missing";
    case grid_obstacle_kind::too_few_dimensions: return "the object does not have two dimensions";
    case grid_obstacle_kind::disagreement:
      return fmt::format("mars.area {}{} and the shape {} disagree", of.value,
                         of.steps ? fmt::format(", mars.grid {}/{}", (*of.steps)[0], (*of.steps)[1]) : "",
                         grids::shape_text(shape));
  }
  return {};
}

}  // namespace tgmap::cli
