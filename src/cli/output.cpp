// SPDX-License-Identifier: Apache-2.0
#include "cli/output.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <utility>

namespace tgmap::cli {

namespace {

constexpr std::size_t enough = std::size_t{1} << 16;  // a pipe takes that much at once

/// What the environment says of colours.
bool wanted_by_environment() {
  const char* const kind = std::getenv("TERM");
  const char* const unwanted = std::getenv("NO_COLOR");
  return kind != nullptr && std::string_view(kind) != "dumb" && (unwanted == nullptr || *unwanted == '\0');
}

}  // namespace

output::output() : terminal_(::isatty(STDOUT_FILENO) != 0) {}

bool output::colored() const {
  if (color_ == color_choice::automatic) return terminal_ && wanted_by_environment();
  return color_ == color_choice::always;
}

void output::write(std::string_view text) {
  buffer_ += text;
  if (buffer_.size() >= enough) flush();
}

void output::write(std::span<const std::byte> data) {
  write(std::string_view(reinterpret_cast<const char*>(data.data()), data.size()));
}

void output::flush() {
  if (buffer_.empty()) return;
  if (terminal_) make_way();
  const std::string pending = std::exchange(buffer_, {});  // what cannot be written is not tried again
  if (write_all(STDOUT_FILENO, std::as_bytes(std::span(pending)))) return;
  if (errno == EPIPE) throw closed_pipe{};
  throw output_error(errno, std::system_category());
}

std::string output::heading(std::string_view text) const {
  return colored() ? "\x1b[1m" + std::string(text) + "\x1b[0m" : std::string(text);
}

bool write_all(int descriptor, std::span<const std::byte> data) noexcept {
  while (!data.empty()) {
    const auto written = ::write(descriptor, data.data(), data.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    data = data.subspan(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace tgmap::cli
