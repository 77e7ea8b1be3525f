// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace tgmap::checks {

/// The number in the `sizeof(T)` bytes from `at` on, as all framing is written.
template <class T>
T load_be(std::span<const std::byte> bytes, std::size_t at) noexcept {
  T out = 0;
  for (std::size_t i = 0; i < sizeof(T); ++i) out = static_cast<T>(out << 8 | std::to_integer<T>(bytes[at + i]));
  return out;
}

inline bool has_at(std::span<const std::byte> bytes, std::size_t at, std::string_view wanted) noexcept {
  return bytes.size() >= at + wanted.size() &&
         std::string_view(reinterpret_cast<const char*>(bytes.data()) + at, wanted.size()) == wanted;
}

}  // namespace tgmap::checks
