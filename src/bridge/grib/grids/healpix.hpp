// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <tgmap/bridge/grib_grids.hpp>

namespace tgmap::bridge::grib {

/// The order of the pixels of a HEALPix grid.
enum class healpix_order : std::uint8_t {
  ring,    ///< from north to south, and along each ring from west to east
  nested,  ///< along a curve in each of the twelve base pixels; `nside` is a power of two
};

/// Returns true if there is such a grid, and if its 12 × nside² pixels are no more than `max_pixels`.
bool is_healpix(std::uint64_t nside, healpix_order, std::uint64_t max_pixels) noexcept;

/// Returns the centres of the pixels, as points with longitudes from 0 to 360. is_healpix must be true.
/// Complexity: linear in the pixels. Errors: throws std::bad_alloc.
provided_degrees healpix_degrees(std::size_t nside, healpix_order);

}  // namespace tgmap::bridge::grib
