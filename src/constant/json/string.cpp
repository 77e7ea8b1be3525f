// SPDX-License-Identifier: Apache-2.0
#include "constant/json/string.hpp"

#include <cstdint>

#include "constant/json/text_fault.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant {
namespace json {

namespace {

constexpr std::uint32_t no_unit = 0xFFFFFFFF;
constexpr std::size_t most_shown = 60;

/// The four digits behind `\u`.
std::uint32_t unit_at(std::string_view raw, std::size_t at) noexcept {
  if (at + 4 > raw.size()) return no_unit;
  std::uint32_t out = 0;
  for (std::size_t i = at; i < at + 4; ++i) {
    const char c = raw[i];
    const bool upper = c >= 'A' && c <= 'F', lower = c >= 'a' && c <= 'f';
    if (!upper && !lower && (c < '0' || c > '9')) return no_unit;
    out = out << 4 | static_cast<std::uint32_t>(upper ? c - 'A' + 10 : lower ? c - 'a' + 10 : c - '0');
  }
  return out;
}

void append_utf8(std::string& out, std::uint32_t code) {
  const auto put = [&](std::uint32_t byte) { out += static_cast<char>(static_cast<unsigned char>(byte)); };
  if (code < 0x80) return put(code);
  if (code < 0x800) {
    put(0xC0 | code >> 6);
  } else {
    if (code < 0x10000) {
      put(0xE0 | code >> 12);
    } else {
      put(0xF0 | code >> 18);
      put(0x80 | (code >> 12 & 0x3F));
    }
    put(0x80 | (code >> 6 & 0x3F));
  }
  put(0x80 | (code & 0x3F));
}

char short_escape(char c) noexcept {
  switch (c) {
    case '"':
    case '\\':
    case '/': return c;
    case 'b': return '\b';
    case 'f': return '\f';
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    default: return 0;
  }
}

/// Appends characters until there are enough; `quotes`: those and backslashes are escaped.
void append_shown(std::string& out, std::string_view text, bool quotes) {
  constexpr const char* digits = "0123456789abcdef";
  for (std::size_t i = 0, used = 0; i < text.size();) {
    const std::size_t known = utf8_length(text.substr(i, 4)), length = known == 0 ? 1 : known;
    const auto byte = static_cast<unsigned char>(text[i]);
    if (used + length > most_shown) {
      out += "...";
      return;
    }
    const bool control = byte < 0x20 || byte == 0x7F;
    const bool upper_control = byte == 0xC2 && length == 2 && static_cast<unsigned char>(text[i + 1]) < 0xA0;
    if (known == 0 || control) {
      ((out += "\\x") += digits[byte >> 4]) += digits[byte & 15];
    } else if (upper_control) {
      const auto low = static_cast<unsigned char>(text[i + 1]);
      ((out += "\\u00") += digits[low >> 4]) += digits[low & 15];
    } else {
      if (quotes && (byte == '"' || byte == '\\')) out += '\\';
      out += text.substr(i, length);
    }
    used += length;
    i += length;
  }
}

}  // namespace

bool unescape(std::string_view raw, std::string& out, std::size_t& wrong) {
  out.clear();
  for (std::size_t i = 0; i < raw.size();) {
    const std::size_t next = raw.find('\\', i);
    out += raw.substr(i, next - i);
    if (next == raw.npos) return true;
    wrong = next;
    if (next + 1 == raw.size()) return false;
    i = next + 2;
    if (raw[next + 1] != 'u') {
      const char plain = short_escape(raw[next + 1]);
      if (plain == 0) return false;
      out += plain;
      continue;
    }
    std::uint32_t code = unit_at(raw, i);
    if (code == no_unit || (code >= 0xDC00 && code < 0xE000)) return false;
    i += 4;
    if (code >= 0xD800 && code < 0xDC00) {
      if (raw.substr(i, 2) != "\\u") return false;
      const std::uint32_t low = unit_at(raw, i + 2);
      if (low == no_unit || low < 0xDC00 || low >= 0xE000) return false;
      code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
      i += 6;
    }
    append_utf8(out, code);
  }
  return true;
}

std::string shown(std::string_view text) {
  std::string out;
  append_shown(out, text, false);
  return out;
}

std::string shown_quoted(std::string_view text) {
  std::string out = "\"";
  append_shown(out, text, true);
  return out += '"';
}

}  // namespace json
}  // namespace constant
}  // namespace v0
}  // namespace tgmap
