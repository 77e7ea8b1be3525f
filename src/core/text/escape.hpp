// SPDX-License-Identifier: Apache-2.0
// Text from files, made safe to print.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/text/hex.hpp"
#include "core/text/utf8.hpp"

namespace tgmap::core {

/// Returns true for the control characters C0, DEL and C1, which a terminal may obey.
constexpr bool is_control(std::uint32_t code_point) noexcept {
  return code_point < 0x20 || (code_point >= 0x7f && code_point < 0xa0);
}

/// Returns true for characters that make a terminal show other text than there is: marks, embeddings, overrides and
/// isolates of the bidirectional algorithm, line and paragraph separators, the byte order mark, and characters that are
/// invisible: soft hyphens, spaces of no width, fillers of Hangul, tags. Joiners (U+200C, U+200D) are not among them,
/// since some scripts need them.
constexpr bool is_deceptive(std::uint32_t code_point) noexcept {
  const auto is_in = [code_point](std::uint32_t first, std::uint32_t last) {
    return code_point >= first && code_point <= last;
  };
  if (code_point < 0xad) return false;
  return code_point == 0xad || code_point == 0x061c || is_in(0x115f, 0x1160) || code_point == 0x180e ||
         code_point == 0x200b || is_in(0x200e, 0x200f) || is_in(0x2028, 0x202e) || is_in(0x2060, 0x2064) ||
         is_in(0x2066, 0x2069) || code_point == 0x3164 || code_point == 0xfeff || code_point == 0xffa0 ||
         is_in(0xe0000, 0xe007f);
}

/// Appends a code point in the notation of JSON: \u202e, or a surrogate pair.
inline void append_json_escape(std::string& out, std::uint32_t code_point) {
  const auto put_unit = [&](std::uint32_t unit) {
    out += "\\u";
    for (const std::uint32_t byte : {unit >> 8, unit & 0xff}) {
      const std::array<char, 2> digits = hex_digits(static_cast<std::uint8_t>(byte));
      out.append(digits.data(), digits.size());
    }
  };
  if (code_point < 0x10000) return put_unit(code_point);
  put_unit(0xd800 + ((code_point - 0x10000) >> 10));
  put_unit(0xdc00 + ((code_point - 0x10000) & 0x3ff));
}

/// Returns JSON of one line with control and deceptive characters as \u202e, which changes no value. Ill-formed bytes
/// become U+FFFD.
inline std::string escaped_json(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  while (!json.empty()) {
    const auto [value, size] = first_code_point(json);
    if (size == 0)
      append_utf8(out, 0xfffd);
    else if (is_control(value) || is_deceptive(value))
      append_json_escape(out, value);
    else
      out += json.substr(0, size);
    json.remove_prefix(size == 0 ? 1 : size);
  }
  return out;
}

/// Returns `text` with control characters, deceptive characters and ill-formed bytes written as \n, \x1b, \u{202e}.
inline std::string escaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  const auto put_hex = [&](std::uint32_t byte) {
    const std::array<char, 2> digits = hex_digits(static_cast<std::uint8_t>(byte));
    out.append(digits.data(), digits.size());
  };
  while (!text.empty()) {
    const auto [value, size] = first_code_point(text);
    if (size == 0) {
      out += "\\x";
      put_hex(static_cast<unsigned char>(text.front()));
    } else if (value == '\n') {
      out += "\\n";
    } else if (value == '\t') {
      out += "\\t";
    } else if (is_control(value)) {
      out += "\\x";
      put_hex(value);
    } else if (is_deceptive(value)) {
      out += "\\u{";
      if (value > 0xffff) put_hex(value >> 16);
      put_hex(value >> 8 & 0xff);
      put_hex(value & 0xff);
      out += '}';
    } else {
      out += text.substr(0, size);
    }
    text.remove_prefix(size == 0 ? 1 : size);
  }
  return out;
}

}  // namespace tgmap::core
