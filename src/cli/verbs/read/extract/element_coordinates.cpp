// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/read/extract/element_coordinates.hpp"

#include <algorithm>
#include <optional>
#include <tgmap/tools/grid.hpp>
#include <utility>

#include "cli/print/grid_obstacle.hpp"
#include "grid/coordinates.hpp"

namespace tgmap::cli {

bool found_coordinates::are_indices() const {
  return !coordinates.empty() && std::ranges::all_of(coordinates, [](const auto& each) { return each.values.empty(); });
}

found_coordinates find_coordinates(const message& in, const object& of, const grids::slice& part) {
  const grid from(in, of);
  found_coordinates out;
  if (auto points = from.points(part.slab())) {
    out.coordinates.push_back({.name = "latitude", .dimension = std::nullopt, .values = std::move(points->latitudes)});
    out.coordinates.push_back(
        {.name = "longitude", .dimension = std::nullopt, .values = std::move(points->longitudes)});
    return out;
  }
  const auto [axes, obstacle] = from.axes();  // of all elements, so that each part has the same degrees
  out.why_no_degrees = text_of(obstacle, of.descriptor().shape());
  for (const std::size_t d : part.ranges()) {
    const grids::slice::extent& e = part.dimensions[d];
    const bool is_index = axes[d].kind == coordinate_kind::index;
    out.coordinates.push_back({.name = is_index ? "index_" + std::to_string(d) : axes[d].name,
                               .dimension = out.coordinates.size(),
                               .values = is_index ? std::vector<double>() : grids::part_of(axes[d].values, e),
                               .first = e.begin,
                               .step = e.step});
  }
  return out;
}

}  // namespace tgmap::cli
