// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

namespace tgmap::zio {

/// The speed of sending: a number of messages or bytes a second, or the speed at which messages were recorded.
struct send_rate {
  std::optional<double> messages{}, bytes{};  ///< a second
  bool as_recorded = false;
};

/// A `send_schedule` computes when each message is due. It does not catch up after delays.
class send_schedule {
 public:
  using clock = std::chrono::steady_clock;

  explicit send_schedule(const send_rate& rate) : rate_(rate) {}

  /// Returns the earliest time for a message of that size. `granule` is its time of recording in microseconds, if
  /// known.
  clock::time_point due(std::uint64_t bytes, std::optional<std::uint64_t> granule, clock::time_point now);

  /// Starts a new recording with the next message.
  void restart() noexcept { start_.reset(); }

 private:
  struct recording_start {
    std::uint64_t granule;
    clock::time_point time;
  };

  send_rate rate_;
  std::optional<clock::time_point> next_{};
  std::optional<recording_start> start_{};
};

}  // namespace tgmap::zio
