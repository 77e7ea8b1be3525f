// SPDX-License-Identifier: Apache-2.0
// Converts bytes to numbers and back. Every bound in the library is checked by `fits`, which subtracts and never adds
// lengths.
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

/// Checks if [at, at + n) is within [0, size), for any 64-bit numbers.
[[nodiscard]] constexpr bool fits(std::uint64_t at, std::uint64_t n, std::uint64_t size) noexcept {
  return at <= size && n <= size - at;
}

/// Compares bytes by memcmp; the standard library would compare the spans byte by byte.
[[nodiscard]] inline bool equal(std::span<const std::byte> a, std::span<const std::byte> b) noexcept {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size()) == 0);
}

/// Returns a number with its bytes in reverse order.
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

/// Makes the compiler use the values loaded before this call, instead of loading them again. Other programs may change
/// the bytes of a mapping.
inline void prevent_reload() noexcept { std::atomic_signal_fence(std::memory_order_seq_cst); }

/// Loads the big-endian unsigned number at `at`, whose bytes must be readable.
template <std::unsigned_integral T>
[[nodiscard]] constexpr T load_be(const std::byte* at) noexcept {
  std::array<std::byte, sizeof(T)> bytes;
  std::copy_n(at, sizeof(T), bytes.begin());
  const auto number = std::bit_cast<T>(bytes);
  return std::endian::native == std::endian::little ? reversed(number) : number;
}

/// Loads the number at `bytes[at]`, which must fit.
template <std::unsigned_integral T>
[[nodiscard]] constexpr T load_be(std::span<const std::byte> bytes, std::size_t at) noexcept {
  return load_be<T>(bytes.data() + at);
}

/// Stores a number at `to` in big-endian order. There must be room for it.
template <std::unsigned_integral T>
constexpr void store_be(std::byte* to, T number) noexcept {
  const auto bytes = std::bit_cast<std::array<std::byte, sizeof(T)>>(
      std::endian::native == std::endian::little ? reversed(number) : number);
  std::copy(bytes.begin(), bytes.end(), to);
}

/// Loads the little-endian unsigned number at `at`, whose bytes must be readable. Only index files have such numbers.
template <std::unsigned_integral T>
[[nodiscard]] constexpr T load_le(const std::byte* at) noexcept {
  return reversed(load_be<T>(at));
}

/// Stores a number at `to` in little-endian order. There must be room for it.
template <std::unsigned_integral T>
constexpr void store_le(std::byte* to, T number) noexcept {
  store_be(to, reversed(number));
}

/// Rounds up to the next multiple of 8; returns `at` itself if that would overflow.
[[nodiscard]] constexpr std::uint64_t align8(std::uint64_t at) noexcept {
  return at > UINT64_MAX - 7 ? at : (at + 7) & ~std::uint64_t{7};
}

/// Converts an ASCII constant to bytes.
template <std::size_t N>
[[nodiscard]] consteval std::array<std::byte, N - 1> ascii(const char (&text)[N]) noexcept {
  std::array<std::byte, N - 1> out{};
  for (std::size_t i = 0; i + 1 < N; ++i) out[i] = static_cast<std::byte>(text[i]);
  return out;
}

/// Checks if `bytes[at…]` begin with `constant`; false if they are too short.
template <std::size_t N>
[[nodiscard]] constexpr bool starts_with(std::span<const std::byte> bytes, std::size_t at,
                                         const std::array<std::byte, N>& constant) noexcept {
  if (!fits(at, N, bytes.size())) return false;
  std::array<std::byte, N> actual;
  std::copy_n(bytes.data() + at, N, actual.begin());
  return actual == constant;
}

}  // namespace tgmap::wire
