// SPDX-License-Identifier: Apache-2.0
#include "constant/json/json_string.hpp"

#include <charconv>
#include <cstdint>
#include <optional>
#include <system_error>

#include "core/text/escape.hpp"
#include "core/text/utf8.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant::json {

namespace {

/// Returns the unit of UTF-16 of a text that begins with `\u` and four digits; nothing for other texts.
std::optional<std::uint32_t> utf16_unit(std::string_view text) noexcept {
  if (text.size() < 6 || !text.starts_with("\\u")) return {};
  std::uint32_t out = 0;
  const auto [end, error] = std::from_chars(text.data() + 2, text.data() + 6, out, 16);
  return error == std::errc() && end == text.data() + 6 ? std::optional(out) : std::nullopt;
}

/// Returns the first 60 bytes of a text, without a part of a character.
std::string_view printed_part(std::string_view text) noexcept {
  return text.substr(0, core::code_point_begin(text, 60));
}

}  // namespace

bool unescape(std::string_view raw, std::string& out, std::size_t& error_at) {
  constexpr std::string_view letters = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
  out.clear();
  std::size_t at = 0;
  while ((error_at = raw.find('\\', at)) != raw.npos) {
    out += raw.substr(at, error_at - at);
    const std::string_view escape = raw.substr(error_at);
    const std::size_t letter = escape.size() > 1 ? letters.find(escape[1]) : letters.npos;
    if (letter != letters.npos) {
      out += meanings[letter];
      at = error_at + 2;
      continue;
    }
    const auto unit = utf16_unit(escape);
    if (!unit || (*unit >= 0xDC00 && *unit < 0xE000)) return false;
    std::uint32_t code = *unit;
    at = error_at + 6;
    if (code >= 0xD800 && code < 0xDC00) {
      const auto low = utf16_unit(raw.substr(at));
      if (!low || *low < 0xDC00 || *low >= 0xE000) return false;
      code = 0x10000 + ((code - 0xD800) << 10) + (*low - 0xDC00);
      at += 6;
    }
    core::append_utf8(out, code);
  }
  out += raw.substr(at);
  return true;
}

std::string printable(std::string_view text) {
  const std::string_view part = printed_part(text);
  return core::escaped(part) + (part.size() < text.size() ? "..." : "");
}

std::string printable_quoted(std::string_view text) {
  const std::string_view part = printed_part(text);
  std::string escaped;
  for (const char c : part) {
    if (c == '"' || c == '\\') escaped += '\\';
    escaped += c;
  }
  return '"' + core::escaped(escaped) + (part.size() < text.size() ? "...\"" : "\"");
}

}  // namespace constant::json
}  // namespace v0
}  // namespace tgmap
