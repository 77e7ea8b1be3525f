// SPDX-License-Identifier: Apache-2.0
#include "cli/stream/rate_line.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <span>
#include <utility>

#include "cli/app/output.hpp"
#include "cli/app/progress.hpp"
#include "cli/print/human_numbers.hpp"

namespace tgmap::cli {

namespace {

constexpr std::chrono::milliseconds update_interval{200};

void show(std::string_view text) {
  static_cast<void>(write_all(STDERR_FILENO, std::as_bytes(std::span(text))));  // errors cannot be reported there
}

}  // namespace

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
