// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <tgmap/message.hpp>
#include <tgmap/object.hpp>
#include <vector>

#include "convert/value_table.hpp"
#include "grid/slice.hpp"

namespace tgmap::cli {

/// Coordinates of elements, and why there are no degrees.
struct found_coordinates {
  std::vector<convert::coordinate> coordinates{};
  std::string why_no_degrees{};  ///< empty if there are, or if no grid is described

  /// Returns true if there are coordinates, and all of them are plain indices.
  bool are_indices() const;
};

/// Returns the coordinates of the elements of `part`, by the rules of tgmap::grid: the latitude and longitude of each
/// element, otherwise an axis or an index for each dimension that the part keeps. Errors: those of tgmap::grid.
found_coordinates find_coordinates(const message&, const object&, const grids::slice& part);

}  // namespace tgmap::cli
