// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

namespace tgmap {
inline namespace v0 {
namespace constant {

/// What stands in JSON for the character, or nothing where it may stand for itself: as upstream, only quotes,
/// backslashes and control characters are escaped.
std::string_view json_escape(char) noexcept;

/// Hands the text of a JSON string, with its quotes, to `put(std::string_view)` in pieces. The text is UTF-8.
template <class Put>
void spell_json(std::string_view text, Put&& put) {
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

}  // namespace constant
}  // namespace v0
}  // namespace tgmap
