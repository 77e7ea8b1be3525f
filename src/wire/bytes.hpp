// SPDX-License-Identifier: Apache-2.0
// Bytes in, numbers out. Every bound in the library is checked by `fits`, by subtraction, never by adding lengths.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace tgmap::wire {

/// Whether [at, at + n) lies within [0, size), for any 64-bit numbers.
[[nodiscard]] constexpr bool fits(std::uint64_t at, std::uint64_t n, std::uint64_t size) noexcept {
  return at <= size && n <= size - at;
}

/// The big-endian unsigned number at `bytes[at]`. The caller has checked that it fits.
template <std::unsigned_integral T>
[[nodiscard]] constexpr T load_be(std::span<const std::byte> bytes, std::size_t at) noexcept {
  T out = 0;
  for (std::size_t i = 0; i < sizeof(T); ++i)
    out = static_cast<T>((static_cast<std::uint64_t>(out) << 8) | std::to_integer<std::uint64_t>(bytes[at + i]));
  return out;
}

/// `at` rounded up to the next multiple of 8; `at` itself where that would overflow.
[[nodiscard]] constexpr std::uint64_t align8(std::uint64_t at) noexcept {
  return at > UINT64_MAX - 7 ? at : (at + 7) & ~std::uint64_t{7};
}

/// An ASCII constant as bytes.
template <std::size_t N>
[[nodiscard]] consteval std::array<std::byte, N - 1> ascii(const char (&text)[N]) noexcept {
  std::array<std::byte, N - 1> out{};
  for (std::size_t i = 0; i + 1 < N; ++i) out[i] = static_cast<std::byte>(text[i]);
  return out;
}

/// Whether `bytes[at…]` begins with `constant`; false when too short.
template <std::size_t N>
[[nodiscard]] constexpr bool starts_with(std::span<const std::byte> bytes, std::size_t at,
                                         const std::array<std::byte, N>& constant) noexcept {
  if (!fits(at, N, bytes.size())) return false;
  for (std::size_t i = 0; i < N; ++i)
    if (bytes[at + i] != constant[i]) return false;
  return true;
}

}  // namespace tgmap::wire
