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

/// Returns the number in a head of major type 7 whose info is that of a float.
[[nodiscard]] inline double floating(const head& of) noexcept {
  if (of.info == float_half)
    return static_cast<double>(static_cast<float>(float16{static_cast<std::uint16_t>(of.argument)}));
  if (of.info == float_single) return std::bit_cast<float>(static_cast<std::uint32_t>(of.argument));
  return std::bit_cast<double>(of.argument);
}

/// Returns the bits of the same number in a narrower format, zeros and infinities with their sign; nothing if the
/// number does not fit exactly, or is NaN.
[[nodiscard]] constexpr std::optional<std::uint32_t> narrowed(double number, float_format to) noexcept {
  constexpr int wide_fraction = 52, wide_bias = 1023, wide_special = 0x7ff;
  const auto bits = std::bit_cast<std::uint64_t>(number);
  const std::uint64_t fraction = bits & ((std::uint64_t{1} << wide_fraction) - 1);
  const int stored = static_cast<int>(bits >> wide_fraction) & wide_special;
  const int bias = (1 << (to.exponent_bits - 1)) - 1;
  const auto signed_ = [&](std::uint64_t magnitude) {
    return static_cast<std::uint32_t>(magnitude | (bits >> 63) << (to.exponent_bits + to.fraction_bits));
  };
  const auto special = ((std::uint64_t{1} << to.exponent_bits) - 1) << to.fraction_bits;
  if (stored == wide_special) return fraction == 0 ? std::optional(signed_(special)) : std::nullopt;
  // also numbers that are far too small
  if (stored == 0) return fraction == 0 ? std::optional(signed_(0)) : std::nullopt;
  const int exponent = stored - wide_bias;
  if (exponent > bias) return std::nullopt;
  // Below the smallest normal number of the format the leading 1 is stored, and everything moves down.
  const int below = exponent < 1 - bias ? 1 - bias - exponent : 0;
  const int shift = wide_fraction - to.fraction_bits + below;
  if (shift > wide_fraction) return std::nullopt;
  const std::uint64_t all = below > 0 ? fraction | std::uint64_t{1} << wide_fraction : fraction;
  if ((all & ((std::uint64_t{1} << shift) - 1)) != 0) return std::nullopt;
  const auto biased = static_cast<std::uint64_t>(below > 0 ? 0 : exponent + bias);
  return signed_(biased << to.fraction_bits | all >> shift);
}

}  // namespace tgmap::cbor
