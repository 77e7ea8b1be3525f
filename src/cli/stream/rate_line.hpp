// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "cli/app/session.hpp"

namespace tgmap::cli {

/// How many messages went by, and how fast, on standard error where that is a terminal: for work of which nobody knows
/// how much there will be. As progress_bar in all else.
class rate_line {
 public:
  /// `what` is done: "receiving".
  rate_line(session&, std::string_view what);
  ~rate_line();
  rate_line(const rate_line&) = delete;
  rate_line& operator=(const rate_line&) = delete;

  /// So many are behind. Costs a look at the clock.
  void at(std::uint64_t messages, std::uint64_t bytes);

 private:
  using clock = std::chrono::steady_clock;

  void clear();

  session* run_;
  std::string what_;
  bool may_show_ = false, shown_ = false;
  clock::time_point start_ = clock::now(), due_{}, before_{};
  std::uint64_t bytes_before_ = 0;
};

}  // namespace tgmap::cli
