// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <tgmap/message.hpp>
#include <tgmap/object.hpp>
#include <vector>

#include "cli/input/sliced_target.hpp"
#include "convert/value_table.hpp"

namespace tgmap::cli {

/// Coordinates of elements, and why there are no degrees.
struct found_coordinates {
  std::vector<convert::coordinate> coordinates{};
  std::string why_no_degrees{};  ///< as in picture::found_axes

  /// Returns true if there are coordinates, and all of them are plain indices.
  bool are_indices() const;
};

/// Returns the coordinates of the elements of `part`: the latitude and longitude of each element if the message has
/// objects with them, or lists for an object of one dimension, otherwise an axis or an index for each dimension that
/// the part keeps. picture/coordinates.hpp describes axes. Objects that cannot be read give no coordinates.
found_coordinates find_coordinates(const message&, const object&, const box& part);

}  // namespace tgmap::cli
