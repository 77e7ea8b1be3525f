// SPDX-License-Identifier: Apache-2.0
#include "cli/app/output.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <optional>

#include "cli/app/environment.hpp"

namespace tgmap::cli {

namespace {

constexpr std::size_t buffer_size = std::size_t{1} << 16;  // the capacity of a pipe

bool environment_allows_color() {
  const char* const kind = std::getenv("TERM");
  const char* const unwanted = std::getenv("NO_COLOR");
  return kind != nullptr && std::string_view(kind) != "dumb" && (unwanted == nullptr || *unwanted == '\0');
}

}  // namespace

output::output() : terminal_(::isatty(STDOUT_FILENO) != 0) {}

bool output::is_colored() const {
  if (color_ == color_choice::automatic) return terminal_ && environment_allows_color();
  return color_ == color_choice::always;
}

void output::write(std::string_view text) {
  buffer_ += text;
  if (buffer_.size() >= buffer_size) flush();
}

void output::write(std::span<const std::byte> data) {
  write(std::string_view(reinterpret_cast<const char*>(data.data()), data.size()));
}

void output::flush() {
  if (buffer_.empty()) return;
  if (terminal_) clear_progress();
  const std::string pending = std::exchange(buffer_, {});  // not retried if writing fails
  if (write_all(STDOUT_FILENO, std::as_bytes(std::span(pending)))) return;
  if (errno == EPIPE) throw closed_pipe{};
  throw output_error(errno, std::system_category());
}

std::string output::heading(std::string_view text) const {
  return is_colored() ? "\x1b[1m" + std::string(text) + "\x1b[0m" : std::string(text);
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

cells window_size() {
  std::optional<std::size_t> columns, rows;  // a terminal may know one of them
  for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO}) {
    winsize size{};
    if (::ioctl(descriptor, TIOCGWINSZ, &size) != 0) continue;
    if (!columns && size.ws_col != 0) columns = size.ws_col;
    if (!rows && size.ws_row != 0) rows = size.ws_row;
  }
  if (!columns) columns = window_extent("COLUMNS");
  if (!rows) rows = window_extent("LINES");
  const cells defaults;
  return {columns.value_or(defaults.columns), rows.value_or(defaults.rows)};
}

}  // namespace tgmap::cli
