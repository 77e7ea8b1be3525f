// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tgmap/message.hpp>
#include <tgmap/object.hpp>
#include <vector>

#include "cli/input/slice.hpp"
#include "convert/value_table.hpp"

namespace tgmap::cli {

/// Returns the coordinates of the elements of `part`: the latitude and longitude of each element if the message has
/// objects with them, otherwise an axis or an index for each dimension that the part keeps. picture/coordinates.hpp
/// describes axes. Objects that cannot be read give no coordinates.
std::vector<convert::coordinate> find_coordinates(const message&, const object&, const box& part);

/// Returns true if there are coordinates, and all of them are plain indices.
bool are_indices(const std::vector<convert::coordinate>&);

}  // namespace tgmap::cli
