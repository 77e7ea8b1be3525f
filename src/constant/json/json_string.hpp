// SPDX-License-Identifier: Apache-2.0
// Strings of JSON.
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

/// Returns the escape of a character, or an empty text if it needs none. As in Vespa, only quotes, backslashes and
/// control characters are escaped.
std::string_view json_escape(char) noexcept;

/// Writes a JSON string with its quotes through `put(std::string_view)`. The text must be UTF-8.
template <class Put>
void write_json_string(std::string_view text, Put&& put) {
  put(std::string_view("\""));
  std::size_t from = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if (byte >= 0x20 && byte != '"' && byte != '\\') continue;
    if (at > from) put(text.substr(from, at - from));
    put(json_escape(text[at]));
    from = at + 1;
  }
  if (from < text.size()) put(text.substr(from));
  put(std::string_view("\""));
}

/// Returns a text for messages: at most 60 bytes of whole characters, with control characters escaped.
std::string printable(std::string_view text);
/// Returns the same in quotes; quotes and backslashes are escaped.
std::string printable_quoted(std::string_view text);

}  // namespace constant::json
}  // namespace v0
}  // namespace tgmap
