// SPDX-License-Identifier: Apache-2.0
// The integers of simple_packing from decoded values.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>

#include "bridge/grib/carry/object_layout.hpp"
#include "bridge/grib/packing/integers.hpp"
#include "bridge/grib/sections/packing.hpp"

namespace tgmap {
inline namespace v0 {
namespace bridge::grib {

/// Returns 2^binary * 10^-decimal, bit for bit as readers of simple_packing compute it: powers by repeated squaring,
/// and negative ones as the reciprocal. Spec: §7.1.
inline double scale_of(std::int32_t binary, std::int32_t decimal) noexcept {
  double power = 1, square = 10;
  for (auto left = static_cast<std::uint32_t>(std::abs(decimal)); left > 0; left /= 2, square *= square)
    if (left % 2 != 0) power *= square;
  return std::ldexp(1.0, binary) * (decimal > 0 ? 1 / power : power);
}

/// Finds the integer of each value that `present` marks; without bits, of all. Other elements repeat the one before.
/// Errors: values_changed (found = number of the element), if simple_packing gives another value for every integer.
template <class Integer>
failure integers_of_values(std::span<const double> values, byte_view present, const packing& how,
                           std::span<Integer> out) noexcept {
  const double reference = scaled_reference(how.reference, how.decimal_scale),
               scale = scale_of(how.binary_scale, how.decimal_scale);
  const double end = std::ldexp(1.0, 8 * static_cast<int>(sizeof(Integer)));
  Integer before = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool is_there = present.empty() || (std::to_integer<unsigned>(present[i / 8]) & (0x80U >> i % 8)) != 0;
    if (is_there) {
      const double integer = std::nearbyint((values[i] - reference) / scale), product = scale * integer;
      if (!(integer >= 0 && integer < end && reference + product == values[i]))
        return {.code = errc::values_changed, .found = i};
      before = static_cast<Integer>(integer);
    }
    out[i] = before;
  }
  return {};
}

}  // namespace bridge::grib
}  // namespace v0
}  // namespace tgmap
