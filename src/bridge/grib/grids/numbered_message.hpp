// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "bridge/grib/grids/grid_section.hpp"

namespace tgmap::bridge::grib {

/// Returns a GRIB message with this grid, in which the value of each element is its number: 0, 1, 2, … in stored order.
/// Returns an empty one if there are too many points for the edition. All other sections are the same for all grids.
/// Errors: throws std::bad_alloc.
std::vector<std::byte> make_numbered_message(const grid_section&);

}  // namespace tgmap::bridge::grib
