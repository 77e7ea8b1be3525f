// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <csignal>
#include <stop_token>
#include <thread>

namespace tgmap::zio {

/// A `stop_signals` object turns the first SIGHUP, SIGINT or SIGTERM into a stop request. The second one ends the
/// process as usual. Ignored signals stay ignored. Create at most one, and before any other thread, because threads
/// inherit the blocked signals.
class stop_signals {
 public:
  stop_signals();
  ~stop_signals();
  stop_signals(const stop_signals&) = delete;
  stop_signals& operator=(const stop_signals&) = delete;

  std::stop_token token() const noexcept { return stop_.get_token(); }

 private:
  void watch();

  sigset_t watched_{}, original_mask_{};
  std::stop_source stop_{};
  std::atomic<bool> is_over_{false};
  std::thread watcher_{};
};

}  // namespace tgmap::zio
