// SPDX-License-Identifier: Apache-2.0
// UTF-8: validation, code points, and cutting text between them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace tgmap::core {

/// A code point, and the number of bytes that encode it.
struct code_point {
  std::uint32_t value = 0;
  std::size_t size = 0;  ///< 0: the bytes are not well-formed UTF-8
};

/// Returns the code point at the beginning of `text`. Its size is 0 if `text` is empty or does not begin with a
/// well-formed sequence (Unicode, table 3-7: no overlong forms, no surrogates).
constexpr code_point first_code_point(std::string_view text) noexcept {
  if (text.empty()) return {};
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::uint32_t first = byte(0);
  if (first < 0x80) return {first, 1};

  const std::size_t size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < size) return {};
  std::uint32_t value = first & (0x7fu >> size);
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    value = value << 6 | (byte(i) & 0x3fu);
  }
  const bool is_overlong = (size == 3 && value < 0x800) || (size == 4 && value < 0x10000);
  const bool is_surrogate = value >= 0xd800 && value <= 0xdfff;
  if (is_overlong || is_surrogate || value > 0x10ffff) return {};
  return {value, size};
}

/// Returns the size of the ill-formed sequence at the beginning of a text that is not empty: the bytes that could have
/// begun a well-formed one, at least one byte (Unicode, section 3.9, "maximal subpart").
constexpr std::size_t ill_formed_size(std::string_view text) noexcept {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  if (first < 0xc2 || first > 0xf4 || text.size() == 1) return 1;
  const unsigned min = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
  const unsigned max = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
  if (byte(1) < min || byte(1) > max) return 1;
  const bool is_third = first >= 0xf0 && text.size() > 2 && (byte(2) & 0xc0) == 0x80;
  return is_third ? 3 : 2;
}

/// Checks that no byte is above 0x7f. Reads words, the last of which may overlap the one before it.
inline bool is_ascii(std::string_view text) noexcept {
  const auto check_words = [&]<class Word>(Word high) {
    Word all = 0, word = 0;
    for (std::size_t at = 0; at + sizeof word <= text.size(); at += sizeof word) {
      std::memcpy(&word, text.data() + at, sizeof word);
      all |= word;
    }
    std::memcpy(&word, text.data() + text.size() - sizeof word, sizeof word);
    return ((all | word) & high) == 0;
  };
  if (text.size() >= 8) return check_words(std::uint64_t{0x8080808080808080});
  if (text.size() >= 4) return check_words(std::uint32_t{0x80808080});
  unsigned all = 0;
  for (const char c : text) all |= static_cast<unsigned char>(c);
  return all < 0x80;
}

/// Returns the number of bytes before the first ill-formed sequence. Skips ASCII eight bytes at a time.
inline std::size_t well_formed_size(std::string_view text) noexcept {
  std::size_t at = 0;
  while (at < text.size()) {
    if (std::uint64_t word = 0; text.size() - at >= sizeof word) {
      std::memcpy(&word, text.data() + at, sizeof word);
      if ((word & 0x8080808080808080) == 0) {
        at += sizeof word;
        continue;
      }
    }
    const std::size_t size = first_code_point(text.substr(at)).size;
    if (size == 0) break;
    at += size;
  }
  return at;
}

/// Checks that all of `text` is well-formed UTF-8.
inline bool is_utf8(std::string_view text) noexcept { return is_ascii(text) || well_formed_size(text) == text.size(); }

/// Returns true for a byte that continues a sequence, 10xxxxxx.
constexpr bool is_continuation(char c) noexcept { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

/// Returns the number of code points in well-formed UTF-8.
constexpr std::size_t code_point_count(std::string_view text) noexcept {
  return text.size() - static_cast<std::size_t>(std::count_if(text.begin(), text.end(), is_continuation));
}

/// Returns the largest position up to `at` that does not split a code point of `text`.
constexpr std::size_t code_point_begin(std::string_view text, std::size_t at) noexcept {
  if (at >= text.size()) return text.size();
  while (at > 0 && is_continuation(text[at])) --at;
  return at;
}

/// Appends the encoding of a code point.
inline void append_utf8(std::string& out, std::uint32_t value) {
  const auto put = [&](std::uint32_t byte) { out += static_cast<char>(static_cast<unsigned char>(byte)); };
  if (value < 0x80) return put(value);
  if (value < 0x800) {
    put(0xc0 | value >> 6);
  } else {
    if (value < 0x10000) {
      put(0xe0 | value >> 12);
    } else {
      put(0xf0 | value >> 18);
      put(0x80 | (value >> 12 & 0x3f));
    }
    put(0x80 | (value >> 6 & 0x3f));
  }
  put(0x80 | (value & 0x3f));
}

}  // namespace tgmap::core
