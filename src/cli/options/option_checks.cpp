// SPDX-License-Identifier: Apache-2.0
#include "cli/options/option_checks.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>

namespace tgmap::cli {

namespace {

template <class Number>
std::optional<Number> parse_whole(const std::string& text) {
  Number out{};
  const char* const end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, out);
  return problem == std::errc() && stop == end ? std::optional(out) : std::nullopt;
}

bool is_integer_from(std::uint64_t min, const std::string& text) {
  const auto number = parse_whole<std::uint64_t>(text);
  return number && *number >= min;
}

}  // namespace

CLI::Validator integer_from(std::uint64_t min) {
  return CLI::Validator(
      [min](std::string& text) {
        return is_integer_from(min, text) ? std::string()
                                          : fmt::format("'{}' is not an integer of at least {}", text, min);
      },
      "");
}

CLI::Validator non_negative_number() {
  return CLI::Validator(
      [](std::string& text) {
        const auto number = parse_whole<double>(text);
        return number && std::isfinite(*number) && *number >= 0
                   ? std::string()
                   : fmt::format("'{}' is not a number of at least 0", text);
      },
      "");
}

CLI::Validator size_in_bytes() {
  return CLI::Validator(
      [](std::string& text) {
        const std::string given = text;
        try {
          if (CLI::AsSizeValue(false)(text).empty() && is_integer_from(1, text)) return std::string();
        } catch (const CLI::Error&) {  // reported below
        }
        return fmt::format("'{}' is not a size such as 4096, 64MiB or 2GB", given);
      },
      "");
}

}  // namespace tgmap::cli
