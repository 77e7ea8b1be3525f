// SPDX-License-Identifier: Apache-2.0
// Strings of JSON, as text and in messages.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tgmap {
inline namespace v0 {
namespace constant::json {

/// Returns true if the bytes of a string contain an escape.
inline bool has_escapes(std::string_view raw) noexcept { return raw.find('\\') != raw.npos; }

/// Replaces `out` by the text that the bytes of a string stand for. Returns false for an escape that RFC 8259 does not
/// have, or for half a surrogate pair; `error_at` is its position.
/// Complexity: O(bytes).
[[nodiscard]] bool unescape(std::string_view raw, std::string& out, std::size_t& error_at);

/// Returns a text for messages: at most 60 bytes of whole characters, with control characters escaped.
std::string printable(std::string_view text);
/// Returns the same in quotes; quotes and backslashes are escaped.
std::string printable_quoted(std::string_view text);

}  // namespace constant::json
}  // namespace v0
}  // namespace tgmap
