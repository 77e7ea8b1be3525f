// SPDX-License-Identifier: Apache-2.0
// Points, rows and columns of a grid: section 3 of GRIB 2, section 2 of GRIB 1.
#pragma once

#include "bridge/grib/sections/field.hpp"

namespace tgmap::bridge::grib {

/// A `scanning_mode` says in which order the points of a grid are stored. The flags are those of GRIB's table 3.4, of
/// which GRIB 1 has the first three.
struct scanning_mode {
  std::uint8_t flags = 0;

  bool i_decreases() const noexcept { return (flags & 0x80U) != 0; }       ///< points go west, or to smaller x
  bool j_increases() const noexcept { return (flags & 0x40U) != 0; }       ///< rows go north, or to larger y
  bool j_is_consecutive() const noexcept { return (flags & 0x20U) != 0; }  ///< neighbours differ in j
  bool rows_alternate() const noexcept { return (flags & 0x10U) != 0; }    ///< every other row goes backwards
  bool has_offsets() const noexcept { return (flags & 0x0FU) != 0; }       ///< rows are shifted or shortened
};

/// A `grid_shape` is the shape of a field as it is stored.
/// Lifetime: borrows the message.
struct grid_shape {
  std::uint16_t template_number = 0;  ///< of section 3 of GRIB 2; representation type of GRIB 1, 255 without section 2
  std::uint64_t points = 0;
  unsigned rank = 1;                       ///< 2: rows and columns; 1: a list of points
  std::array<std::uint64_t, 2> extents{};  ///< [Nj, Ni], [Ni, Nj] if j is consecutive; [points] of rank 1
  bool is_reduced = false;                 ///< rows have different lengths, which `row_lengths` lists
  bool has_partial_rows = false;  ///< the listed lengths are those of whole circles, of which the area has parts
  byte_view row_lengths{};        ///< big-endian integers of `row_length_bytes` each
  unsigned row_length_bytes = 0;
  bool has_scanning_mode = false;
  scanning_mode scanning{};
};

/// Returns the shape of the grid of a field. Templates without rows and columns, and unknown ones, have rank 1.
/// Complexity: linear in the rows of a reduced grid.
/// Errors: section_too_short, grid_points.
grid_shape read_grid_shape(const field&, failure& why) noexcept;

/// Returns the number of points of the grid: what section 3 of GRIB 2 states; in GRIB 1 by rows and columns, or
/// without a grid by the bitmap or the data.
/// Errors: those of read_grid_shape.
std::uint64_t points_of(const field&, failure& why) noexcept;

}  // namespace tgmap::bridge::grib
