// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tgmap/tools/grid.hpp>

#include "bridge/grib/grids/grid_section.hpp"

namespace tgmap::bridge::grib {

/// Replaces the degrees of points of a rotated grid by those of the globe, with longitudes from -180 to 180.
/// `grid_rotation::angle` must be 0. Complexity: linear; 60 ns for a point.
void rotate_to_globe(provided_degrees& points, const grid_rotation&) noexcept;

}  // namespace tgmap::bridge::grib
