// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <csignal>
#include <stop_token>
#include <thread>

namespace tgmap::cli {

/// While there is one, the first signal by which people end a process (SIGHUP, SIGINT, SIGTERM) asks for a stop, and
/// the second one ends the process. Signals that are ignored stay so. To be made before any other thread: all of them
/// leave these signals alone. One at a time.
class stop_signals {
 public:
  stop_signals();
  ~stop_signals();
  stop_signals(const stop_signals&) = delete;
  stop_signals& operator=(const stop_signals&) = delete;

  std::stop_token token() const noexcept { return stop_.get_token(); }
  /// The signal that came; 0: none.
  int came() const noexcept { return came_; }

 private:
  void watch();

  sigset_t which_{}, before_{};
  std::stop_source stop_{};
  std::atomic<bool> over_{false};
  std::atomic<int> came_{0};
  std::thread watcher_{};
};

}  // namespace tgmap::cli
