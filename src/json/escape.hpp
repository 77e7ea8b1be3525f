// SPDX-License-Identifier: Apache-2.0
// Strings of JSON.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/text/escape.hpp"
#include "core/text/utf8.hpp"

namespace tgmap::json_text {

/// The characters that are escaped. Quotes, backslashes and the control characters C0 always are, as JSON requires.
enum class escapes : std::uint8_t {
  required,  ///< no others
  readable,  ///< those that a terminal may obey, or that make it show other text; see core/text/escape.hpp
  ascii,     ///< all beyond ASCII, and DEL
  vespa,     ///< as `readable`, with upper-case digits for C0: \u001B
};

/// Returns true for bytes that no set of escapes changes.
constexpr bool is_never_escaped(char c) noexcept { return c >= 0x20 && c < 0x7f && c != '"' && c != '\\'; }

constexpr bool is_escaped(std::uint32_t code_point, escapes which) noexcept {
  if (code_point < 0x20 || code_point == '"' || code_point == '\\') return true;
  if (code_point < 0x7f || which == escapes::required) return false;
  return which == escapes::ascii || core::is_control(code_point) || core::is_deceptive(code_point);
}

/// Appends the escape of a character.
inline void append_escape(std::string& out, std::uint32_t code_point, escapes which) {
  switch (code_point) {
    case '"': out += "\\\""; return;
    case '\\': out += "\\\\"; return;
    case '\n': out += "\\n"; return;
    case '\r': out += "\\r"; return;
    case '\t': out += "\\t"; return;
    case '\b': out += "\\b"; return;
    case '\f': out += "\\f"; return;
    default: break;
  }
  if (which != escapes::vespa || code_point >= 0x20) return core::append_json_escape(out, code_point);
  const std::array<char, 2> digits = core::hex_digits(static_cast<std::uint8_t>(code_point), true);
  out.append("\\u00").append(digits.data(), digits.size());
}

/// Passes text to `put(std::string_view)` in pieces, with escapes and without quotes, until it returns false. Each
/// maximal part of an ill-formed sequence becomes U+FFFD (Unicode, section 3.9). Returns false if `put` did.
/// Complexity: linear. Allocates nothing.
template <class Put>
bool put_escaped(std::string_view text, escapes which, Put&& put) {
  std::size_t begin = 0, at = 0;
  std::string escape;  // at most 12 bytes, which need no allocation
  while (at < text.size()) {
    if (is_never_escaped(text[at])) {
      ++at;
      continue;
    }
    auto [value, size] = core::first_code_point(text.substr(at));
    if (size != 0 && !is_escaped(value, which)) {
      at += size;
      continue;
    }
    if (begin < at && !put(text.substr(begin, at - begin))) return false;
    escape.clear();
    if (size != 0) {
      append_escape(escape, value, which);
    } else {
      size = core::ill_formed_size(text.substr(at));
      escape = which == escapes::ascii ? "\\ufffd" : "\xef\xbf\xbd";
    }
    if (!put(std::string_view(escape))) return false;
    begin = at += size;
  }
  return begin == at || put(text.substr(begin));
}

}  // namespace tgmap::json_text
