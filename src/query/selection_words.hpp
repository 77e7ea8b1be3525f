// SPDX-License-Identifier: Apache-2.0
// Words and characters with a meaning in selections, for the scanner and for printing.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace tgmap::query {

inline constexpr std::array<std::string_view, 4> reserved_words{"and", "or", "not", "has"};

constexpr bool is_blank(char c) noexcept { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
constexpr bool is_quote(char c) noexcept { return c == '"' || c == '\''; }

constexpr bool is_reserved(std::string_view text) noexcept {
  return std::find(reserved_words.begin(), reserved_words.end(), text) != reserved_words.end();
}

/// Returns true if the text is this word of small letters, in any case.
constexpr bool is_in_any_case(std::string_view text, std::string_view word) noexcept {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::equal(text.begin(), text.end(), word.begin(), word.end(), [&](char a, char b) { return lower(a) == b; });
}

/// Returns "to" or "by", which make a range of the alternatives around them, if the text is one of them in any case.
constexpr std::string_view range_word(std::string_view text) noexcept {
  for (const std::string_view word : {"to", "by"})
    if (is_in_any_case(text, word)) return word;
  return {};
}

/// Returns true if an operator begins at `at`.
constexpr bool is_operator_at(std::string_view text, std::size_t at) noexcept {
  if (at >= text.size()) return false;
  const char c = text[at];
  return c == '=' || c == '<' || c == '>' || c == '~' || text.substr(at).starts_with("!=");
}

/// Returns true if a key, or a value that is compared as text, needs no quotes.
constexpr bool needs_no_quotes(std::string_view text) noexcept {
  const auto is_plain = [](char c) {
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
    return is_letter || (c >= '0' && c <= '9') || std::string_view("_-.+:@[]").find(c) != std::string_view::npos;
  };
  return !text.empty() && !is_reserved(text) && text.find("..") == text.npos &&
         std::all_of(text.begin(), text.end(), is_plain);
}

}  // namespace tgmap::query
