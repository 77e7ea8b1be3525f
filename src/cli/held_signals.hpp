// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <csignal>

namespace tgmap::cli {

/// While there is one, the signals by which people end a process (SIGHUP, SIGINT, SIGTERM) wait: what must not be left
/// half done is done first. What came is raised when it goes. Signals that are ignored stay so. One at a time.
class held_signals {
 public:
  held_signals() noexcept;
  ~held_signals();
  held_signals(const held_signals&) = delete;
  held_signals& operator=(const held_signals&) = delete;

 private:
  static constexpr std::array which{SIGHUP, SIGINT, SIGTERM};

  std::array<struct sigaction, which.size()> before_{};
  std::array<bool, which.size()> held_{};
};

}  // namespace tgmap::cli
