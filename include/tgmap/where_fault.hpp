// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tgmap/export.hpp>

namespace tgmap {
inline namespace v0 {

/// Why the text of a selection cannot be read: `failure::expected` of `errc::bad_where`, beside the column.
enum class where_fault : std::uint8_t {
  key_missing,          ///< a condition was to begin here
  operator_missing,     ///< a key without =, !=, <, <=, >, >= or ~ behind it
  value_missing,        ///< no value behind an operator that needs one
  word_reserved,        ///< `and`, `or`, `not` or `has` within a value: it takes quotes to mean the word
  quote_open,           ///< a quote that is never closed
  parenthesis_open,     ///< a parenthesis that is never closed
  parenthesis_lone,     ///< a closing parenthesis without its opening one
  text_behind,          ///< something that continues neither the condition nor the selection
  too_deep,             ///< parentheses and `not` inside each other beyond 100
  unknown_fact,         ///< a key that begins with `@` and names no fact
  pattern_unreadable,   ///< RE2 cannot read the pattern, or it is too large
  pattern_unsupported,  ///< this library was built without RE2
};

inline constexpr std::size_t where_fault_count = 12;

/// What is wrong, for people: "a key is missing"; without the column.
TGMAP_API std::string_view name(where_fault) noexcept;

}  // namespace v0
}  // namespace tgmap
