// SPDX-License-Identifier: Apache-2.0
#include "constant/json/string.hpp"

#include <cstdint>

#include "core/text/escape.hpp"
#include "core/text/hex.hpp"
#include "core/text/utf8.hpp"

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
    const auto digit = core::hex_value(raw[i]);
    if (!digit) return no_unit;
    out = out << 4 | *digit;
  }
  return out;
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

/// Appends at most 60 bytes of `text`, in whole characters; `quotes`: with quotes and backslashes escaped.
void append_shown(std::string& out, std::string_view text, bool quotes) {
  const std::string_view beginning = text.substr(0, core::code_point_begin(text, most_shown));
  std::size_t from = 0;
  for (std::size_t i = 0; quotes && i < beginning.size(); ++i) {
    if (beginning[i] != '"' && beginning[i] != '\\') continue;
    ((out += core::escaped(beginning.substr(from, i - from))) += '\\') += beginning[i];
    from = i + 1;
  }
  out += core::escaped(beginning.substr(from));
  if (beginning.size() < text.size()) out += "...";
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
    core::append_utf8(out, code);
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
