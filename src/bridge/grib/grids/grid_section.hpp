// SPDX-License-Identifier: Apache-2.0
// The section of a GRIB message that describes its grid: section 3 of GRIB 2, section 2 of GRIB 1.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "bridge/grib/sections/field.hpp"
#include "bridge/grib/sections/grid_shape.hpp"

namespace tgmap::bridge::grib {

/// The grids whose sections are understood, by the templates of GRIB 2. The types of GRIB 1 are given the same numbers.
enum class grid_template : std::uint16_t {
  latitude_longitude = 0,
  rotated_latitude_longitude = 1,
  mercator = 10,
  polar_stereographic = 20,
  lambert_conformal = 30,
  gaussian = 40,
  rotated_gaussian = 41,
  space_view = 90,
  lambert_azimuthal = 140,
  healpix = 150,
};

/// A `grid_area` is the first and the last point of a grid, in degrees.
struct grid_area {
  double first_latitude = 0, first_longitude = 0, last_latitude = 0, last_longitude = 0;
  double precision = 0;  ///< degrees that a number in the section may be off by
};

/// A `grid_rotation` is the place of the south pole of a rotated grid, in degrees.
struct grid_rotation {
  double latitude = -90, longitude = 0, angle = 0;
};

/// A `grid_section` is a section whose numbers were checked: rows and columns, or the sum of the rows of a reduced
/// grid, agree with the number of points. Lifetime: borrows the bytes.
struct grid_section {
  unsigned edition = 0;
  byte_view bytes{};
  grid_template kind{};
  std::uint64_t points = 0;
  std::uint64_t rows = 0, columns = 0;       ///< columns: 0 for a reduced grid; both 0 for HEALPix
  std::vector<std::uint32_t> row_lengths{};  ///< points of each row of a reduced grid, of the whole circle
  scanning_mode scanning{};
  grid_area area{};          ///< of latitudes and longitudes, and Gaussian
  grid_rotation rotation{};  ///< of rotated grids
  std::uint64_t number = 0;  ///< latitudes between pole and equator of a Gaussian grid, nside of HEALPix
};

/// Returns the bytes of the section in `grib_sections`, the first sections of a message; empty if there is none.
/// `edition` receives that of the message. `is_damaged` is set if lengths of sections do not fit.
byte_view find_grid_section(byte_view sections, unsigned& edition, bool& is_damaged) noexcept;

/// Reads a section of a grid with `points` points, which GRIB 2 states, too. Returns nothing if it is damaged or
/// unknown; `is_damaged` says which. Complexity: linear in the bytes. Errors: throws std::bad_alloc.
std::optional<grid_section> read_grid_section(byte_view bytes, unsigned edition, std::uint64_t points,
                                              bool& is_damaged);

}  // namespace tgmap::bridge::grib
