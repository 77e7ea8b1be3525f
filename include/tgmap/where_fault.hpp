// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tgmap/export.hpp>

namespace tgmap {
inline namespace v0 {

/// Why the text of a selection cannot be read: `failure::expected` of `errc::bad_where`, beside the column.
enum class selection_error : std::uint8_t {
  missing_key,          ///< a condition was to begin here
  missing_operator,     ///< a key without =, !=, <, <=, >, >= or ~ behind it
  missing_value,        ///< no value behind an operator that needs one
  reserved_word,        ///< `and`, `or`, `not` or `has` within a value: it takes quotes to mean the word
  unclosed_quote,           ///< a quote that is never closed
  unclosed_parenthesis,     ///< a parenthesis that is never closed
  unmatched_parenthesis,     ///< a closing parenthesis without its opening one
  trailing_text,          ///< something that continues neither the condition nor the selection
  too_deep,             ///< parentheses and `not` inside each other beyond 100
  unknown_property,         ///< a key that begins with `@` and names no fact
  bad_pattern,   ///< RE2 cannot read the pattern, or it is too large
  unsupported_pattern,  ///< this library was built without RE2
};

inline constexpr std::size_t selection_error_count = 12;

/// What is wrong, for people: "a key is missing"; without the column.
TGMAP_API std::string_view to_string_view(selection_error) noexcept;

}  // namespace v0
}  // namespace tgmap
