// SPDX-License-Identifier: Apache-2.0
#include "convert/export/element_coordinates.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "grid/coordinates.hpp"

namespace tgmap::convert {

bool element_coordinates::are_indices() const {
  return !coordinates.empty() && std::ranges::all_of(coordinates, [](const auto& each) { return each.values.empty(); });
}

element_coordinates find_coordinates(const message& in, const object& of, const grids::slice& part,
                                     std::span<const grid_provider* const> providers) {
  const grid from(in, of, providers);
  element_coordinates out;
  if (auto points = from.points(part.slab())) {
    out.coordinates.push_back({.name = "latitude", .dimension = std::nullopt, .values = std::move(points->latitudes)});
    out.coordinates.push_back(
        {.name = "longitude", .dimension = std::nullopt, .values = std::move(points->longitudes)});
    return out;
  }
  grid_axes found = from.axes();  // of all elements, so that each part has the same degrees
  out.obstacle = std::move(found.obstacle);
  for (const std::size_t d : part.ranges()) {
    const grids::slice::extent& e = part.dimensions[d];
    const grid_axis& axis = found.axes[d];
    const bool is_index = axis.kind == coordinate_kind::index;
    out.coordinates.push_back({.name = is_index ? "index_" + std::to_string(d) : axis.name,
                               .dimension = out.coordinates.size(),
                               .values = is_index ? std::vector<double>() : grids::part_of(axis.values, e),
                               .first = e.begin,
                               .step = e.step});
  }
  return out;
}

}  // namespace tgmap::convert
