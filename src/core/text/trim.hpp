// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace tgmap::core {

inline constexpr std::string_view blanks = " \t\r\n";

/// Returns `text` without blanks at its ends.
constexpr std::string_view trimmed(std::string_view text) noexcept {
  const auto begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

}  // namespace tgmap::core
