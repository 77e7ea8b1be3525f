// SPDX-License-Identifier: Apache-2.0
#include "cli/window_size.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <string_view>

namespace tgmap::cli {

namespace {

std::size_t from_environment(const char* name, std::size_t otherwise) {
  const char* const given = std::getenv(name);
  if (given == nullptr) return otherwise;
  const std::string_view text(given);
  std::size_t out = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), out);
  constexpr std::size_t most = 10'000;
  const bool sound = problem == std::errc{} && end == text.data() + text.size() && out != 0 && out <= most;
  return sound ? out : otherwise;
}

}  // namespace

cells window_size() {
  for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO}) {
    winsize said{};
    if (::ioctl(descriptor, TIOCGWINSZ, &said) == 0 && said.ws_col != 0 && said.ws_row != 0)
      return {said.ws_col, said.ws_row};
  }
  const cells usual;
  return {from_environment("COLUMNS", usual.columns), from_environment("LINES", usual.rows)};
}

}  // namespace tgmap::cli
