// SPDX-License-Identifier: Apache-2.0
#include "constant/json/json_string.hpp"

#include <cstdint>

#include "core/text/escape.hpp"
#include "core/text/hex.hpp"
#include "core/text/utf8.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant::json {

namespace {

constexpr std::uint32_t invalid_unit = 0xFFFFFFFF;
constexpr std::size_t max_printed = 60;

/// Returns the value of the four digits after `\u`.
std::uint32_t unit_at(std::string_view raw, std::size_t at) noexcept {
  if (at + 4 > raw.size()) return invalid_unit;
  std::uint32_t out = 0;
  for (std::size_t i = at; i < at + 4; ++i) {
    const auto digit = core::hex_value(raw[i]);
    if (!digit) return invalid_unit;
    out = out << 4 | *digit;
  }
  return out;
}

char unescaped_char(char c) noexcept {
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

/// Appends at most 60 bytes of whole characters.
void append_printable(std::string& out, std::string_view text, bool escape_quotes) {
  const std::string_view beginning = text.substr(0, core::code_point_begin(text, max_printed));
  std::size_t from = 0;
  for (std::size_t i = 0; escape_quotes && i < beginning.size(); ++i) {
    if (beginning[i] != '"' && beginning[i] != '\\') continue;
    ((out += core::escaped(beginning.substr(from, i - from))) += '\\') += beginning[i];
    from = i + 1;
  }
  out += core::escaped(beginning.substr(from));
  if (beginning.size() < text.size()) out += "...";
}

}  // namespace

bool unescape(std::string_view raw, std::string& out, std::size_t& error_at) {
  out.clear();
  for (std::size_t i = 0; i < raw.size();) {
    const std::size_t next = raw.find('\\', i);
    out += raw.substr(i, next - i);
    if (next == raw.npos) return true;
    error_at = next;
    if (next + 1 == raw.size()) return false;
    i = next + 2;
    if (raw[next + 1] != 'u') {
      const char plain = unescaped_char(raw[next + 1]);
      if (plain == 0) return false;
      out += plain;
      continue;
    }
    std::uint32_t code = unit_at(raw, i);
    if (code == invalid_unit || (code >= 0xDC00 && code < 0xE000)) return false;
    i += 4;
    if (code >= 0xD800 && code < 0xDC00) {
      if (raw.substr(i, 2) != "\\u") return false;
      const std::uint32_t low = unit_at(raw, i + 2);
      if (low == invalid_unit || low < 0xDC00 || low >= 0xE000) return false;
      code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
      i += 6;
    }
    core::append_utf8(out, code);
  }
  return true;
}

std::string printable(std::string_view text) {
  std::string out;
  append_printable(out, text, false);
  return out;
}

std::string printable_quoted(std::string_view text) {
  std::string out = "\"";
  append_printable(out, text, true);
  return out += '"';
}

std::string_view json_escape(char c) noexcept {
  static constexpr std::string_view controls[32] = {
      "\\u0000", "\\u0001", "\\u0002", "\\u0003", "\\u0004", "\\u0005", "\\u0006", "\\u0007",  //
      "\\b",     "\\t",     "\\n",     "\\u000B", "\\f",     "\\r",     "\\u000E", "\\u000F",  //
      "\\u0010", "\\u0011", "\\u0012", "\\u0013", "\\u0014", "\\u0015", "\\u0016", "\\u0017",  //
      "\\u0018", "\\u0019", "\\u001A", "\\u001B", "\\u001C", "\\u001D", "\\u001E", "\\u001F"};
  if (c == '"') return "\\\"";
  if (c == '\\') return "\\\\";
  const auto byte = static_cast<unsigned char>(c);
  return byte < 32 ? controls[byte] : std::string_view();
}

}  // namespace constant::json
}  // namespace v0
}  // namespace tgmap
