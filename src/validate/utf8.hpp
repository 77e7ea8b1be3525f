// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace tgmap::checks {

/// Whether there is nothing but ASCII: nearly all text is. Looked at in words that may overlap.
inline bool is_ascii(std::string_view text) noexcept {
  const auto words = [&]<class Word>(Word high) {
    Word all = 0, word = 0;
    for (std::size_t at = 0; at + sizeof word <= text.size(); at += sizeof word) {
      std::memcpy(&word, text.data() + at, sizeof word);
      all |= word;
    }
    std::memcpy(&word, text.data() + text.size() - sizeof word, sizeof word);
    return ((all | word) & high) == 0;
  };
  if (text.size() >= 8) return words(std::uint64_t{0x8080808080808080});
  if (text.size() >= 4) return words(std::uint32_t{0x80808080});
  unsigned all = 0;
  for (const char c : text) all |= static_cast<unsigned char>(c);
  return all < 0x80;
}

/// Whether text is well-formed UTF-8 (Unicode, table 3-7: no overlong forms, no surrogates).
inline bool is_utf8(std::string_view text) noexcept {
  if (is_ascii(text)) return true;
  const char *at = text.data(), *const end = at + text.size();
  while (at != end) {
    const auto first = static_cast<unsigned char>(*at);
    if (first < 0x80) {
      ++at;
      continue;
    }
    const std::ptrdiff_t size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || end - at < size) return false;
    std::uint32_t code = first & (0x7fu >> size);
    for (std::ptrdiff_t i = 1; i < size; ++i) {
      const auto next = static_cast<unsigned char>(at[i]);
      if ((next & 0xc0) != 0x80) return false;
      code = code << 6 | (next & 0x3fu);
    }
    if ((size == 3 && code < 0x800) || (size == 4 && code < 0x10000)) return false;
    if ((code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff) return false;
    at += size;
  }
  return true;
}

}  // namespace tgmap::checks
