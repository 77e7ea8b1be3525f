// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "cli/app/session.hpp"

namespace tgmap::cli {

/// A progress bar on standard error, if that is a terminal. It appears after half a second (TGMAP_PROGRESS_DELAY, in
/// milliseconds) and is removed by the destructor. Only one may exist at a time.
class progress_bar {
 public:
  /// `what` names the work, for example "writing f.tgm"; `total` is its size in bytes.
  progress_bar(session&, std::string_view what, std::uint64_t total);
  ~progress_bar();
  progress_bar(const progress_bar&) = delete;
  progress_bar& operator=(const progress_bar&) = delete;

  /// Reports that `done` bytes are finished. Usually costs one comparison.
  void update(std::uint64_t done) {
    if (done >= next_refresh_) refresh(done);
  }

  /// Returns a function that calls `update`. Lifetime: borrows from this object.
  auto callback() {
    return [this](std::uint64_t done) { update(done); };
  }

 private:
  using clock = std::chrono::steady_clock;

  void refresh(std::uint64_t done);
  void clear();

  session* run_;
  std::string what_;
  std::uint64_t total_, next_refresh_ = UINT64_MAX;
  clock::time_point start_{}, due_{};
  bool shown_ = false;
};

/// Returns a line of at most `width` columns: name, bar, percentage, rate and remaining time.
std::string progress_line(std::string_view what, std::uint64_t done, std::uint64_t total, double seconds,
                          std::size_t width);

/// A `rate_line` shows the number of messages and the current rate on standard error, if that is a terminal. It is the
/// counterpart of progress_bar for work of unknown size.
class rate_line {
 public:
  /// `what` is the activity: "receiving".
  rate_line(session&, std::string_view what);
  ~rate_line();
  rate_line(const rate_line&) = delete;
  rate_line& operator=(const rate_line&) = delete;

  /// Updates the totals. Complexity: one call of the clock.
  void at(std::uint64_t messages, std::uint64_t bytes);

 private:
  using clock = std::chrono::steady_clock;

  void clear();

  session* run_;
  std::string what_;
  bool is_enabled_ = false, is_shown_ = false;
  clock::time_point start_ = clock::now(), next_update_{}, last_update_{};
  std::uint64_t last_bytes_ = 0;
};

}  // namespace tgmap::cli
