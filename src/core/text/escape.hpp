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
/// isolates of the bidirectional algorithm, line and paragraph separators, the byte order mark.
constexpr bool is_deceptive(std::uint32_t code_point) noexcept {
  return code_point == 0x061c || code_point == 0x200e || code_point == 0x200f ||
         (code_point >= 0x2028 && code_point <= 0x202e) || (code_point >= 0x2066 && code_point <= 0x2069) ||
         code_point == 0xfeff;
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
      put_hex(value >> 8);
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
