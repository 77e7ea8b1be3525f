// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <tgmap/metadata.hpp>
#include <tgmap/tools/grid.hpp>

namespace tgmap::grids {

/// Places in equal steps.
struct even_places {
  double first = 0, span = 0, steps = 1;  ///< `span` has `steps` steps

  double operator[](std::uint64_t i) const noexcept { return first + static_cast<double>(i) * span / steps; }
};

/// A `regular_grid` has the latitudes of rows and the longitudes of columns. Longitudes do not wrap around.
struct regular_grid {
  even_places latitudes, longitudes;
};

/// A grid, or why there is none.
struct found_grid {
  std::optional<regular_grid> grid{};
  grid_obstacle why_none{};  ///< empty if the metadata describes no grid
};

/// Returns the regular grid of the last two dimensions of an object, from its metadata.
///
/// The metadata must say that the grid is regular: `mars.grid` is "regular_ll" or two steps, or a `gridType` is
/// "regular_ll"; no other grid and no rotation may be stated. `mars.area` has the corners: north, west, south, east. A
/// span of 360 degrees is without its end, unless the stated step includes it. Steps in `mars.grid` must agree with the
/// area and the shape. The first element is at the first corner, unless `jScansPositively` or `iScansNegatively` say
/// otherwise.
found_grid find_grid(const metadata&, std::span<const std::uint64_t> shape);

}  // namespace tgmap::grids
