// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "cli/session.hpp"

namespace tgmap::cli {

/// How far work on some bytes is, on standard error where that is a terminal. Nothing shows for the first half second
/// (TGMAP_PROGRESS_DELAY, in milliseconds), and nothing stays when the bar goes. One at a time.
class progress_bar {
 public:
  /// `what` is done to `total` bytes: "reading f.tgm".
  progress_bar(session&, std::string_view what, std::uint64_t total);
  ~progress_bar();
  progress_bar(const progress_bar&) = delete;
  progress_bar& operator=(const progress_bar&) = delete;

  /// So many bytes are behind. Costs a comparison, mostly.
  void at(std::uint64_t done) {
    if (done >= next_look_) look(done);
  }

 private:
  using clock = std::chrono::steady_clock;

  void look(std::uint64_t done);
  void clear();

  session* run_;
  std::string what_;
  std::uint64_t total_, next_look_ = UINT64_MAX;
  clock::time_point start_{}, due_{};
  bool shown_ = false;
};

/// For how long nothing shows: half a second, or what TGMAP_PROGRESS_DELAY says.
std::chrono::milliseconds progress_delay();

/// One line of at most `width` columns: what, a bar, the share that is done, the rate, the time that is left.
std::string progress_line(std::string_view what, std::uint64_t done, std::uint64_t total, double seconds,
                          std::size_t width);

}  // namespace tgmap::cli
