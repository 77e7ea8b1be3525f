// SPDX-License-Identifier: Apache-2.0
#include "cli/options/option_checks.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/text/parse_number.hpp"

namespace tgmap::cli {

namespace {

bool is_integer_from(std::uint64_t min, const std::string& text) {
  const auto number = core::parse_number<std::uint64_t>(text);
  return number && *number >= min;
}

}  // namespace

CLI::Validator offered_words(const std::vector<std::string>& words) {
  return CLI::Validator([](std::string&) { return std::string(); }, "{" + CLI::detail::join(words, ",") + "}");
}

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
        const auto number = core::parse_number<double>(text);
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
