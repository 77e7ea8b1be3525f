// SPDX-License-Identifier: Apache-2.0
// The three widths of floating numbers (RFC 8949 §3.3).
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <tgmap/dtype.hpp>

#include "cbor/head.hpp"

namespace tgmap::cbor {

/// The canonical NaN, in half precision.
inline constexpr std::uint16_t canonical_nan = 0x7e00;

/// An IEEE 754 format narrower than binary64.
struct float_format {
  int exponent_bits, fraction_bits;
};
inline constexpr float_format half_format{5, 10}, single_format{8, 23};

/// Returns the number in the head of a float (major type 7, info 25 to 27).
[[nodiscard]] inline double float_value(const head& head) noexcept {
  if (head.info == float_half)
    return static_cast<double>(static_cast<float>(float16{static_cast<std::uint16_t>(head.argument)}));
  if (head.info == float_single) return std::bit_cast<float>(static_cast<std::uint32_t>(head.argument));
  return std::bit_cast<double>(head.argument);
}

/// Returns the bits of a number in a narrower format. Zeros and infinities keep their sign. Returns nothing for NaN and
/// for numbers that the format cannot represent exactly.
[[nodiscard]] constexpr std::optional<std::uint32_t> narrow_float(double number, float_format to) noexcept {
  constexpr int wide_fraction = 52, wide_bias = 1023, wide_infinity = 0x7ff;
  const auto bits = std::bit_cast<std::uint64_t>(number);
  const std::uint64_t fraction = bits & ((std::uint64_t{1} << wide_fraction) - 1);
  const int stored_exponent = static_cast<int>(bits >> wide_fraction) & wide_infinity;
  const int bias = (1 << (to.exponent_bits - 1)) - 1;
  const auto with_sign = [&](std::uint64_t magnitude) {
    return static_cast<std::uint32_t>(magnitude | (bits >> 63) << (to.exponent_bits + to.fraction_bits));
  };
  const auto infinity = ((std::uint64_t{1} << to.exponent_bits) - 1) << to.fraction_bits;
  if (stored_exponent == wide_infinity) return fraction == 0 ? std::optional(with_sign(infinity)) : std::nullopt;
  // Zero. The subnormal numbers of binary64 are too small for the narrower formats.
  if (stored_exponent == 0) return fraction == 0 ? std::optional(with_sign(0)) : std::nullopt;
  const int exponent = stored_exponent - wide_bias;
  if (exponent > bias) return std::nullopt;
  // A subnormal number of the narrow format stores its leading 1 and shifts its fraction.
  const int denormal_shift = exponent < 1 - bias ? 1 - bias - exponent : 0;
  const int shift = wide_fraction - to.fraction_bits + denormal_shift;
  if (shift > wide_fraction) return std::nullopt;
  const std::uint64_t significand = denormal_shift > 0 ? fraction | std::uint64_t{1} << wide_fraction : fraction;
  if ((significand & ((std::uint64_t{1} << shift) - 1)) != 0) return std::nullopt;
  const auto biased = static_cast<std::uint64_t>(denormal_shift > 0 ? 0 : exponent + bias);
  return with_sign(biased << to.fraction_bits | significand >> shift);
}

}  // namespace tgmap::cbor
