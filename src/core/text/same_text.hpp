// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace tgmap::core {

/// Compares two texts, mostly short ones, without a call.
[[nodiscard]] inline bool same_text(std::string_view a, std::string_view b) noexcept {
  const std::size_t size = a.size();
  if (size != b.size()) return false;
  if (size > 16) return a == b;
  const auto part = [&]<class Word>(Word, std::size_t at) {
    Word x, y;
    std::memcpy(&x, a.data() + at, sizeof(Word));
    std::memcpy(&y, b.data() + at, sizeof(Word));
    return x == y;
  };
  // Compares two words, which overlap unless the size is that of a word.
  if (size >= 8) return part(std::uint64_t{}, 0) && part(std::uint64_t{}, size - 8);
  if (size >= 4) return part(std::uint32_t{}, 0) && part(std::uint32_t{}, size - 4);
  if (size >= 2) return part(std::uint16_t{}, 0) && part(std::uint16_t{}, size - 2);
  return size == 0 || a[0] == b[0];
}

}  // namespace tgmap::core
