// SPDX-License-Identifier: Apache-2.0
#include "cli/print/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "cli/app/environment.hpp"
#include "cli/app/output.hpp"
#include "cli/print/human_numbers.hpp"
#include "core/text/escape.hpp"

namespace tgmap::cli {

namespace {

constexpr std::chrono::milliseconds refresh_interval{100};  // of a progress_bar
constexpr std::chrono::milliseconds update_interval{200};   // of a rate_line
constexpr std::uint64_t max_clock_reads = 2000;

void show(std::string_view text) {
  static_cast<void>(write_all(STDERR_FILENO, std::as_bytes(std::span(text))));  // a failure cannot be reported
}

std::string time_left(double seconds) {
  const auto whole = static_cast<std::uint64_t>(std::ceil(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{}:{:02} min", whole / 60, whole % 60);
  return fmt::format("{}:{:02} h", whole / 3600, whole / 60 % 60);
}

/// Keeps the end of a text that is too long, because file names differ there.
std::string shortened(std::string_view text, std::size_t width) {
  if (text.size() <= width) return std::string(text);
  if (width <= 3) return {};
  std::size_t from = text.size() - width + 3;
  while (from < text.size() && core::is_continuation(text[from])) ++from;
  return "..." + std::string(text.substr(from));
}

}  // namespace

progress_bar::progress_bar(session& run, std::string_view what, std::uint64_t total)
    : run_(&run), what_(core::escaped(what)), total_(total) {
  if (!run.progress || total == 0 || ::isatty(STDERR_FILENO) == 0) return;
  next_refresh_ = 0;
  start_ = clock::now();
  due_ = start_ + progress_delay();
  run.out.set_progress_clearer([this] { clear(); });
}

progress_bar::~progress_bar() {
  if (next_refresh_ == UINT64_MAX) return;
  clear();
  run_->out.set_progress_clearer({});
}

void progress_bar::refresh(std::uint64_t done) {
  next_refresh_ = done + std::max<std::uint64_t>(1, total_ / max_clock_reads);
  const auto now = clock::now();
  if (now < due_) return;
  due_ = now + refresh_interval;
  const std::chrono::duration<double> passed = now - start_;
  show("\r" + progress_line(what_, std::min(done, total_), total_, passed.count(), window_size().columns) + "\x1b[K");
  shown_ = true;
}

void progress_bar::clear() {
  if (std::exchange(shown_, false)) show("\r\x1b[K");
}

std::string progress_line(std::string_view what, std::uint64_t done, std::uint64_t total, double seconds,
                          std::size_t width) {
  const double share = total == 0 ? 1 : static_cast<double>(done) / static_cast<double>(total);
  const double rate = seconds > 0 ? static_cast<double>(done) / seconds : 0;
  std::string numbers = fmt::format(" {:3.0f} %", std::floor(100 * share));
  if (rate > 0) {
    numbers += fmt::format("  {}/s", short_size(static_cast<std::uint64_t>(rate)));
    numbers += "  " + time_left(static_cast<double>(total - done) / rate) + " left";
  }
  constexpr std::size_t min_bar = 10, max_bar = 40, max_name = 40;
  const std::size_t room = width > numbers.size() + 1 ? width - numbers.size() - 1 : 0;  // the last column stays free
  if (room < min_bar + 4) return numbers.substr(1, width > 1 ? width - 1 : 0);
  const std::string name = shortened(what, std::min(max_name, room - min_bar - 3));
  const std::size_t bar = std::min(max_bar, room - name.size() - 3);
  const auto full = static_cast<std::size_t>(share * static_cast<double>(bar));
  return fmt::format("{} [{}{}]{}", name, std::string(full, '='), std::string(bar - full, ' '), numbers);
}

rate_line::rate_line(session& run, std::string_view what) : run_(&run), what_(what) {
  if (!run.progress || ::isatty(STDERR_FILENO) == 0) return;
  is_enabled_ = true;
  next_update_ = start_ + progress_delay();
  last_update_ = start_;
  run.out.set_progress_clearer([this] { clear(); });
}

rate_line::~rate_line() {
  if (!is_enabled_) return;
  clear();
  run_->out.set_progress_clearer({});
}

void rate_line::at(std::uint64_t messages, std::uint64_t bytes) {
  if (!is_enabled_) return;
  const auto now = clock::now();
  if (now < next_update_) return;
  const std::chrono::duration<double> passed = now - last_update_;
  const double rate = passed.count() > 0 ? static_cast<double>(bytes - last_bytes_) / passed.count() : 0;
  const std::string line = fmt::format("{}: {}, {}, {}/s", what_, count_text(messages, "message"), short_size(bytes),
                                       short_size(static_cast<std::uint64_t>(rate)));
  show("\r" + line.substr(0, window_size().columns - 1) + "\x1b[K");
  is_shown_ = true;
  next_update_ = now + update_interval;
  last_update_ = now;
  last_bytes_ = bytes;
}

void rate_line::clear() {
  if (std::exchange(is_shown_, false)) show("\r\x1b[K");
}

}  // namespace tgmap::cli
