// SPDX-License-Identifier: Apache-2.0
#include "cli/app/environment.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <string_view>

#include "cli/app/cli_error.hpp"

namespace tgmap::cli {

namespace {

constexpr std::size_t max_extent = 10'000;
constexpr unsigned default_delay = 500;
constexpr const char* delay_variable = "TGMAP_PROGRESS_DELAY";

/// Returns the value of a variable; empty if it is not set.
std::string_view variable_text(const char* name) {
  const char* const given = std::getenv(name);
  return given == nullptr ? std::string_view() : std::string_view(given);
}

template <class Number>
std::optional<Number> number_of(std::string_view text) {
  Number out{};
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), out);
  return problem == std::errc{} && end == text.data() + text.size() ? std::optional(out) : std::nullopt;
}

}  // namespace

std::optional<std::size_t> window_extent(const char* variable) {
  const auto out = number_of<std::size_t>(variable_text(variable));
  return out && *out != 0 && *out <= max_extent ? out : std::nullopt;
}

std::chrono::milliseconds progress_delay() {
  return std::chrono::milliseconds(number_of<unsigned>(variable_text(delay_variable)).value_or(default_delay));
}

void check_environment(reporter& report) {
  for (const char* const name : {"COLUMNS", "LINES"})
    if (const auto text = variable_text(name); !text.empty() && !window_extent(name))
      report.hint(fmt::format("environment variable {}: '{}' is not a number from 1 to {}, and is ignored", name, text,
                              max_extent));
  if (const auto text = variable_text(delay_variable); !text.empty() && !number_of<unsigned>(text))
    throw usage_error(
        fmt::format("environment variable {}: '{}' is not a number of milliseconds", delay_variable, text),
        "correct or unset it");
}

}  // namespace tgmap::cli
