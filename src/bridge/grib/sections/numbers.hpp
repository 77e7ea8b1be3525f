// SPDX-License-Identifier: Apache-2.0
// Numbers as GRIB stores them: big-endian, with a sign bit before the magnitude.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/bridge/errc.hpp>  // declares the namespaces

namespace tgmap::bridge::grib {

/// Numbers of two and four bytes that stand for "missing".
constexpr std::uint64_t missing_2 = 0xFFFF, missing_4 = 0xFFFFFFFF;

/// Returns the unsigned integer of `Count` bytes at `at`, which the caller has checked to be there.
template <std::size_t Count>
constexpr std::uint64_t big_endian(std::span<const std::byte> bytes, std::size_t at) noexcept {
  static_assert(Count >= 1 && Count <= 8);
  std::uint64_t out = 0;
  for (std::size_t i = 0; i < Count; ++i) out = out << 8U | std::to_integer<std::uint64_t>(bytes[at + i]);
  return out;
}

/// Returns the byte at `at`.
constexpr unsigned octet(std::span<const std::byte> bytes, std::size_t at) noexcept {
  return std::to_integer<unsigned>(bytes[at]);
}

/// Returns the integer of two bytes at `at`, whose highest bit is its sign.
constexpr std::int32_t sign_and_magnitude(std::span<const std::byte> bytes, std::size_t at) noexcept {
  const auto stored = static_cast<std::int32_t>(big_endian<2>(bytes, at));
  return (stored & 0x8000) != 0 ? -(stored & 0x7FFF) : stored;
}

/// Returns the IEEE float of four bytes at `at`.
inline double ieee_float(std::span<const std::byte> bytes, std::size_t at) noexcept {
  return std::bit_cast<float>(static_cast<std::uint32_t>(big_endian<4>(bytes, at)));
}

/// Returns the IBM float of four bytes at `at`: a sign bit, 7 bits of an exponent of 16 above 64, 24 bits behind the
/// point. A double holds it exactly.
inline double ibm_float(std::span<const std::byte> bytes, std::size_t at) noexcept {
  const auto stored = static_cast<std::uint32_t>(big_endian<4>(bytes, at));
  const int exponent = static_cast<int>(stored >> 24U & 0x7FU) - 64;
  const double magnitude = std::ldexp(static_cast<double>(stored & 0xFFFFFFU), 4 * exponent - 24);
  return (stored & 0x80000000U) != 0 ? -magnitude : magnitude;
}

}  // namespace tgmap::bridge::grib
