// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <tgmap/tools/grid.hpp>

#include "bridge/grib/grids/grid_section.hpp"

namespace tgmap::bridge::grib {

/// Returns true if `compute_degrees` knows the kind of a grid: latitudes and longitudes, Gaussian, both also rotated,
/// and HEALPix. Others are projections.
bool is_computed(grid_template) noexcept;

/// Returns the degrees of a grid in the order in which its elements are stored: one latitude for each row and one
/// longitude for each column where rows follow each other from west to east or east to west, otherwise points. Those of
/// rotated grids are on the globe. Returns nothing if the numbers of the section contradict each other, or for shifted
/// rows, grids that are turned around their rotated pole, and latitudes beyond `max_gaussian_number`.
/// Complexity: linear in the points; quadratic in the number N of a Gaussian grid. Errors: throws std::bad_alloc.
std::optional<provided_degrees> compute_degrees(const grid_section&);

}  // namespace tgmap::bridge::grib
