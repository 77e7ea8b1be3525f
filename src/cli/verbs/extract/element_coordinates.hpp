// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tgmap/message.hpp>
#include <tgmap/object.hpp>
#include <vector>

#include "cli/verbs/extract/slice.hpp"
#include "convert/value_table.hpp"

namespace tgmap::cli {

/// Returns where the elements of a part of an object of the message are: the latitude and longitude of each element if
/// the message has objects with them, otherwise an axis or an index for each dimension that the part keeps. See
/// picture/coordinates.hpp for what makes an axis. Objects that cannot be read give no coordinates.
std::vector<convert::coordinate> find_coordinates(const message&, const object&, const box& part);

/// Returns true if all are plain indices, and there is at least one.
bool are_indices(const std::vector<convert::coordinate>&);

}  // namespace tgmap::cli
