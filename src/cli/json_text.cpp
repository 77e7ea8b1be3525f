// SPDX-License-Identifier: Apache-2.0
#include "cli/json_text.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <nlohmann/json.hpp>

namespace tgmap::cli {

namespace {

/// As in escape.cpp: controls, marks of the bidirectional algorithm, separators of lines, the byte order mark.
bool is_harmful(std::uint32_t code) {
  return (code >= 0x7f && code < 0xa0) || code == 0x061c || code == 0x200e || code == 0x200f ||
         (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069) || code == 0xfeff;
}

/// The character that the first `size` bytes of well-formed UTF-8 stand for.
std::uint32_t code_of(std::string_view text, std::size_t size) {
  if (size == 1) return static_cast<unsigned char>(text[0]);
  std::uint32_t code = static_cast<unsigned char>(text[0]) & (0x7fu >> size);
  for (std::size_t i = 1; i < size; ++i) code = code << 6 | (static_cast<unsigned char>(text[i]) & 0x3fu);
  return code;
}

std::size_t size_of(char first) {
  const auto byte = static_cast<unsigned char>(first);
  return byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
}

}  // namespace

std::string json_string(std::string_view text) {
  // The library escapes what JSON must have escaped, and mends ill-formed text.
  const std::string written = nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  std::string out;
  for (std::string_view left = written; !left.empty();) {
    const std::size_t size = std::min(size_of(left.front()), left.size());
    const std::uint32_t code = code_of(left, size);
    if (is_harmful(code))
      out += fmt::format("\\u{:04x}", code);
    else
      out += left.substr(0, size);
    left.remove_prefix(size);
  }
  return out;
}

std::string float_text(double number) {
  std::array<char, 40> buffer;
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), number, std::chars_format::scientific).ptr;
  const std::string_view shortest(buffer.data(), static_cast<std::size_t>(end - buffer.data()));
  const std::size_t mark = shortest.find('e');
  int exponent = 0;
  const std::size_t sign = shortest[mark + 1] == '+' ? 1 : 0;
  std::from_chars(shortest.data() + mark + 1 + sign, shortest.data() + shortest.size(), exponent);
  std::string digits(shortest.substr(0, mark));
  const std::string minus = digits.front() == '-' ? "-" : "";
  std::erase_if(digits, [](char c) { return c == '.' || c == '-'; });

  const int count = static_cast<int>(digits.size()), point = exponent + 1;  // digits before the point
  if (point > -5 && point <= 0) return minus + "0." + std::string(static_cast<std::size_t>(-point), '0') + digits;
  if (point > 0 && point <= 16) {
    if (count <= point) return minus + digits + std::string(static_cast<std::size_t>(point - count), '0') + ".0";
    return minus + digits.insert(static_cast<std::size_t>(point), ".");
  }
  if (count > 1) digits.insert(1, ".");
  return fmt::format("{}{}e{}", minus, digits, exponent);
}

}  // namespace tgmap::cli
