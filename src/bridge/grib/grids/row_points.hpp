// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/bridge/grib_grids.hpp>
#include <vector>

namespace tgmap::bridge::grib {

/// Returns the numbers of points of the 2 × `n` rows of an octahedral grid: 20, 24, … from each pole.
std::vector<std::uint32_t> octahedral_rows(std::size_t n);

/// Returns the sum of the points of all rows.
std::uint64_t total_points(std::span<const std::uint32_t> rows) noexcept;

/// Returns points that divide each row evenly, from longitude 0 to the east. There are as many latitudes as rows.
/// Errors: throws std::bad_alloc.
provided_degrees row_points(std::span<const double> latitudes, std::span<const std::uint32_t> rows);

/// Returns the points of `latitudes` × `longitudes`, in C order. Errors: throws std::bad_alloc.
provided_degrees product_points(std::span<const double> latitudes, std::span<const double> longitudes);

}  // namespace tgmap::bridge::grib
