// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <tgmap/message.hpp>
#include <tgmap/object.hpp>
#include <tgmap/tools/grid.hpp>
#include <vector>

#include "convert/value_table.hpp"
#include "grid/slice.hpp"

namespace tgmap::convert {

/// Coordinates of elements, and why there are no degrees.
struct element_coordinates {
  std::vector<coordinate> coordinates{};
  grid_obstacle obstacle{};  ///< none if there are degrees, or if no grid is described

  /// Returns true if there are coordinates, and all of them are plain indices.
  bool are_indices() const;
};

/// Returns the coordinates of the elements of `part`, by the rules of tgmap::grid: the latitude and longitude of each
/// element, otherwise an axis or an index for each dimension that the part keeps. Providers are asked last.
/// Errors: throws those of tgmap::grid.
element_coordinates find_coordinates(const message&, const object&, const grids::slice& part,
                                     std::span<const grid_provider* const> providers = {});

}  // namespace tgmap::convert
