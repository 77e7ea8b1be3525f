// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tgmap {
inline namespace v0 {
namespace constant {
namespace json {

/// Whether something in a string is escaped.
inline bool has_escapes(std::string_view raw) noexcept { return raw.find('\\') != raw.npos; }

/// Puts what a string's bytes stand for in place of `out`. False: an escape that RFC 8259 does not have, or half of a
/// surrogate pair, which begins at `wrong`. O(bytes).
[[nodiscard]] bool unescape(std::string_view raw, std::string& out, std::size_t& wrong);

/// For people: at most 60 bytes, whole characters, and nothing that moves a cursor.
std::string shown(std::string_view text);
/// The same in quotes, with quotes and backslashes in it escaped.
std::string shown_quoted(std::string_view text);

}  // namespace json
}  // namespace constant
}  // namespace v0
}  // namespace tgmap
