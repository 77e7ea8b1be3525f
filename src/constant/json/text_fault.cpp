// SPDX-License-Identifier: Apache-2.0
#include "constant/json/text_fault.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant {
namespace json {

namespace {

std::string byte_text(char c) {
  constexpr const char* digits = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(c);
  return std::string("the byte 0x") + digits[byte >> 4] + digits[byte & 15];
}

}  // namespace

std::size_t utf8_length(std::string_view text) noexcept {
  const auto at = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const auto follows = [&](std::size_t i) { return (at(i) & 0xC0) == 0x80; };
  const unsigned first = at(0), second = at(1);
  if (first < 0x80) return text.empty() ? 0 : 1;
  if (first < 0xC2 || first > 0xF4 || !follows(1)) return 0;
  if (first < 0xE0) return 2;
  if (!follows(2) || (first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F)) return 0;
  if (first < 0xF0) return 3;
  if (!follows(3) || (first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F)) return 0;
  return 4;
}

text_fault first_fault(std::string_view text) {
  bool within = false;
  std::size_t begin = 0;  // of the string
  const auto sound_before = [&](std::size_t i) { return within ? begin : i; };
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (static_cast<unsigned char>(c) >= 0x80) {
      const std::size_t length = utf8_length(text.substr(i));
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
