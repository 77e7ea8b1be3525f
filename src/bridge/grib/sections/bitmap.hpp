// SPDX-License-Identifier: Apache-2.0
// The bitmap of a field: section 6 of GRIB 2, section 3 of GRIB 1.
#pragma once

#include "bridge/grib/sections/field.hpp"

namespace tgmap::bridge::grib {

/// A `bitmap` says which points of a field have values: a set bit for each that has one, the first in the highest bit
/// of the first byte.
/// Lifetime: borrows the message.
struct bitmap {
  byte_view bits{};          ///< exactly the bytes that `points` need; empty without a bitmap
  std::uint64_t points = 0;  ///< of the grid
  std::uint64_t values = 0;  ///< points that have a value: set bits; all points without a bitmap
  bool present = false;
};

/// Returns the bitmap of a field, which may be that of an earlier field of its message.
/// Complexity: linear in its bytes.
/// Errors: bitmap_length, no_bitmap, predefined_bitmap, section_too_short, and those of points_of.
bitmap read_bitmap(const field&, failure& why) noexcept;

}  // namespace tgmap::bridge::grib
