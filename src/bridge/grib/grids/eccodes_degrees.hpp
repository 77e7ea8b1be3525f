// SPDX-License-Identifier: Apache-2.0
// Degrees that ecCodes finds.
#pragma once

#include <cstdint>
#include <optional>
#include <tgmap/tools/grid.hpp>
#include <vector>

#include "bridge/grib/grids/grid_section.hpp"

namespace tgmap::bridge::grib {

/// Returns true if ecCodes can be loaded. Loads it.
bool has_eccodes() noexcept;

/// Returns the points of a grid in the order in which its elements are stored, or nothing if ecCodes does not know the
/// grid. ecCodes gets a message made here with this section, in which each value is the number of its element: whatever
/// order it returns points in, they are put into place.
/// Complexity: linear in the points. Errors: throws std::bad_alloc.
std::optional<provided_degrees> find_projected_degrees(const grid_section&);

/// Returns the numbers of points of the rows of the reduced Gaussian grid "N320" of a number such as 320; empty if
/// ecCodes has no such grid. Errors: throws std::bad_alloc.
std::vector<std::uint32_t> find_reduced_rows(std::uint64_t number);

}  // namespace tgmap::bridge::grib
