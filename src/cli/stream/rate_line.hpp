// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "cli/app/session.hpp"

namespace tgmap::cli {

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
