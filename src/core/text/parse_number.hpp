// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace tgmap::core {

/// Parses the whole text as a number, without blanks or a plus sign.
template <class Number>
std::optional<Number> parse_number(std::string_view text) noexcept {
  Number out{};
  const char* const end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, out);
  return problem == std::errc() && stop == end ? std::optional<Number>(out) : std::nullopt;
}

}  // namespace tgmap::core
