// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

namespace tgmap {
inline namespace v0 {
namespace zio {

inline constexpr std::size_t curve_key_characters = 40;

/// Returns true if a text is 40 characters of Z85.
inline bool is_curve_key(std::string_view text) noexcept {
  constexpr std::string_view alphabet =
      "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#";
  return text.size() == curve_key_characters && text.find_first_not_of(alphabet) == std::string_view::npos;
}

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
