// SPDX-License-Identifier: Apache-2.0
// Bytes in, numbers out. Every bound in the library is checked by `fits`, by subtraction, never by adding lengths.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
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

/// Whether these are the same bytes; of two ranges the standard library compares one byte after another.
[[nodiscard]] inline bool equal(std::span<const std::byte> a, std::span<const std::byte> b) noexcept {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size()) == 0);
}

/// A number with its bytes in reverse.
template <std::unsigned_integral T>
[[nodiscard]] constexpr T reversed(T number) noexcept {
  if constexpr (sizeof(T) == 1)
    return number;
  else if constexpr (sizeof(T) == 2)
    return __builtin_bswap16(number);
  else if constexpr (sizeof(T) == 4)
    return __builtin_bswap32(number);
  else
    return __builtin_bswap64(number);
}

/// What was loaded from bytes that others may change, those of a mapping, stays as it was loaded: behind this the
/// compiler must not load it again.
inline void settle() noexcept { std::atomic_signal_fence(std::memory_order_seq_cst); }

/// The big-endian unsigned number at `at`, where the caller knows its bytes to be.
template <std::unsigned_integral T>
[[nodiscard]] constexpr T load_be(const std::byte* at) noexcept {
  std::array<std::byte, sizeof(T)> bytes;
  std::copy_n(at, sizeof(T), bytes.begin());
  const auto number = std::bit_cast<T>(bytes);
  return std::endian::native == std::endian::little ? reversed(number) : number;
}

/// The one at `bytes[at]`. The caller has checked that it fits.
template <std::unsigned_integral T>
[[nodiscard]] constexpr T load_be(std::span<const std::byte> bytes, std::size_t at) noexcept {
  return load_be<T>(bytes.data() + at);
}

/// Writes the number big-endian at `to`, where the caller knows room to be.
template <std::unsigned_integral T>
constexpr void store_be(std::byte* to, T number) noexcept {
  const auto bytes = std::bit_cast<std::array<std::byte, sizeof(T)>>(
      std::endian::native == std::endian::little ? reversed(number) : number);
  std::copy(bytes.begin(), bytes.end(), to);
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
  std::array<std::byte, N> here;
  std::copy_n(bytes.data() + at, N, here.begin());
  return here == constant;
}

}  // namespace tgmap::wire
