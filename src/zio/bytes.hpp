// SPDX-License-Identifier: Apache-2.0
// Numbers as bytes, on any machine: coordinates are little-endian, lengths in a frame big-endian.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tgmap {
inline namespace v0 {
namespace zio {

/// Whether `n` bytes at `at` lie within `size`: by subtraction, so that no sum can wrap.
[[nodiscard]] constexpr bool fits(std::uint64_t at, std::uint64_t n, std::uint64_t size) noexcept {
  return at <= size && n <= size - at;
}

inline std::uint64_t load_little(const std::byte* at) noexcept {
  std::uint64_t out = 0;
  for (int i = 8; i-- > 0;) out = out << 8 | std::to_integer<std::uint64_t>(at[i]);
  return out;
}

inline void store_little(std::byte* to, std::uint64_t number) noexcept {
  for (int i = 0; i < 8; ++i, number >>= 8) to[i] = static_cast<std::byte>(number);
}

inline std::uint32_t load_big(const std::byte* at) noexcept {
  std::uint32_t out = 0;
  for (int i = 0; i < 4; ++i) out = out << 8 | std::to_integer<std::uint32_t>(at[i]);
  return out;
}

inline void store_big(std::byte* to, std::uint32_t number) noexcept {
  for (int i = 4; i-- > 0; number >>= 8) to[i] = static_cast<std::byte>(number);
}

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
