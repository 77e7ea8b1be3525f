// SPDX-License-Identifier: Apache-2.0
#include "constant/json/text_fault.hpp"

#include "core/text/hex.hpp"
#include "core/text/utf8.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant {
namespace json {

namespace {

std::string byte_text(char c) {
  const auto digits = core::hex_digits(static_cast<std::uint8_t>(c));
  return "the byte 0x" + std::string(digits.data(), digits.size());
}

}  // namespace

text_fault first_fault(std::string_view text) {
  bool within = false;
  std::size_t begin = 0;  // of the string
  const auto sound_before = [&](std::size_t i) { return within ? begin : i; };
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (static_cast<unsigned char>(c) >= 0x80) {
      const std::size_t length = core::first_code_point(text.substr(i)).size;
      if (length == 0) return {i, sound_before(i), "UTF-8", byte_text(c)};
      i += length;
      continue;
    }
    if (within && static_cast<unsigned char>(c) < 0x20)
      return {i, begin, "a control character of a string to be escaped", byte_text(c)};
    if (c == '"') {
      within = !within;
      begin = i;
    } else if (c == '\\' && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) >= 0x20 &&
               static_cast<unsigned char>(text[i + 1]) < 0x80) {
      ++i;  // what it escapes is no quote
    }
    ++i;
  }
  if (within) return {begin, begin, "a string with an end", "the end of the text"};
  return {0, 0, "JSON", "something else"};
}

}  // namespace json
}  // namespace constant
}  // namespace v0
}  // namespace tgmap
