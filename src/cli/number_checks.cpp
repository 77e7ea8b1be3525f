// SPDX-License-Identifier: Apache-2.0
#include "cli/number_checks.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>
#include <string>

namespace tgmap::cli {

namespace {

template <class Number>
std::optional<Number> number_of_all(const std::string& text) {
  Number out{};
  const char* const end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, out);
  return problem == std::errc() && stop == end ? std::optional(out) : std::nullopt;
}

bool is_whole_from(std::uint64_t least, const std::string& text) {
  const auto number = number_of_all<std::uint64_t>(text);
  return number && *number >= least;
}

}  // namespace

CLI::Validator whole_number_from(std::uint64_t least) {
  return CLI::Validator(
      [least](std::string& text) {
        return is_whole_from(least, text) ? std::string()
                                          : fmt::format("'{}' is no whole number from {} on", text, least);
      },
      "");
}

CLI::Validator number_from_0() {
  return CLI::Validator(
      [](std::string& text) {
        const auto number = number_of_all<double>(text);
        return number && std::isfinite(*number) && *number >= 0 ? std::string()
                                                                : fmt::format("'{}' is no number from 0 on", text);
      },
      "");
}

CLI::Validator size_in_bytes() {
  return CLI::Validator(
      [](std::string& text) {
        const std::string given = text;
        try {
          if (CLI::AsSizeValue(false)(text).empty() && is_whole_from(1, text)) return std::string();
        } catch (const CLI::Error&) {  // told below
        }
        return fmt::format("'{}' is no size of a byte or more, such as 4096, 64MiB or 2GB", given);
      },
      "");
}

}  // namespace tgmap::cli
