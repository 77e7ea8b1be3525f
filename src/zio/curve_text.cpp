// SPDX-License-Identifier: Apache-2.0
#include "zio/curve_text.hpp"

#include <algorithm>

#include "core/text/trim.hpp"

namespace tgmap {
inline namespace v0 {
namespace zio {

namespace {

/// A value of ZPL: between quotes anything (Z85 has # in its alphabet), else up to a comment.
std::string_view value_of(std::string_view text) noexcept {
  text = core::trimmed(text);
  if (!text.empty() && (text.front() == '"' || text.front() == '\''))
    return text.substr(1, std::min(text.find(text.front(), 1), text.size()) - 1);
  return core::trimmed(text.substr(0, text.find('#')));
}

}  // namespace

bool is_curve_key(std::string_view text) noexcept {
  constexpr std::string_view alphabet =
      "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#";
  return text.size() == curve_key_characters && text.find_first_not_of(alphabet) == std::string_view::npos;
}

curve_text parse_curve_text(std::string_view text) {
  curve_text out;
  bool in_curve = false;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const std::string_view said = core::trimmed(line);
    // A bare key may begin with what else begins a comment, or hold what else ends a name.
    if (is_curve_key(said) && out.bare.empty()) {
      out.bare = said;
      continue;
    }
    if (said.empty() || said.front() == '#') continue;
    const auto equals = said.find('=');
    const std::string_view name = core::trimmed(said.substr(0, std::min(equals, said.find('#'))));
    if (core::blanks.find(line.front()) == std::string_view::npos) in_curve = name == "curve";
    if (equals == std::string_view::npos || !in_curve) continue;
    if (name == "public-key") out.public_key = value_of(said.substr(equals + 1));
    if (name == "secret-key") out.secret_key = value_of(said.substr(equals + 1));
  }
  return out;
}

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
