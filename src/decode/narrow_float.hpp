// SPDX-License-Identifier: Apache-2.0
// Rounds doubles to floats of 16 bits.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <tgmap/dtype.hpp>

namespace tgmap::decode {

/// Returns the nearest float with the given bits of exponent and fraction, ties to even. Returns nothing if it would be
/// infinite and `value` is not. NaN stays NaN.
template <int Exponent, int Fraction>
std::optional<std::uint16_t> narrow(double value) noexcept {
  constexpr int bias = (1 << (Exponent - 1)) - 1, min_exponent = 1 - bias;
  constexpr std::uint16_t infinity = ((1 << Exponent) - 1) << Fraction;
  constexpr std::uint64_t hidden = std::uint64_t{1} << 52;

  const auto bits = std::bit_cast<std::uint64_t>(value);
  const auto sign = static_cast<std::uint16_t>(bits >> 63 << (Exponent + Fraction));
  const int exponent = static_cast<int>(bits >> 52 & 0x7ff) - 1023;
  const std::uint64_t fraction = bits & (hidden - 1);
  if (exponent == 1024) {
    const std::uint16_t quiet = fraction == 0 ? 0 : 1 << (Fraction - 1);
    return static_cast<std::uint16_t>(sign | infinity | quiet | fraction >> (52 - Fraction));
  }
  // Below the smallest exponent fewer bits are left; subnormal doubles round to zero.
  const bool small = exponent < min_exponent;
  const int shift = 52 - Fraction + (small ? min_exponent - exponent : 0);
  if (shift > 60) return sign;
  const std::uint64_t whole = fraction | hidden, kept = whole >> shift;
  const std::uint64_t left = whole & ((std::uint64_t{1} << shift) - 1), half = std::uint64_t{1} << (shift - 1);
  const std::uint64_t rounded = kept + (left > half || (left == half && kept % 2 != 0) ? 1 : 0);
  // A carry out of the fraction increments the exponent.
  const std::uint64_t out =
      small ? rounded : (static_cast<std::uint64_t>(exponent + bias) << Fraction) + rounded - (1u << Fraction);
  if (out >= infinity) return std::nullopt;
  return static_cast<std::uint16_t>(sign | out);
}

inline std::optional<float16> to_float16(double value) noexcept {
  const auto bits = narrow<5, 10>(value);
  return bits ? std::optional(float16{*bits}) : std::nullopt;
}

inline std::optional<bfloat16> to_bfloat16(double value) noexcept {
  const auto bits = narrow<8, 7>(value);
  return bits ? std::optional(bfloat16{*bits}) : std::nullopt;
}

}  // namespace tgmap::decode
