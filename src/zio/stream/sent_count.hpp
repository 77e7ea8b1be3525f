// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <tgmap/zio/socket.hpp>

namespace tgmap::zio {

/// The totals of a stream so far.
struct sent_totals {
  std::uint64_t messages = 0, bytes = 0;  ///< that ZeroMQ sent
  std::uint64_t bytes_copied = 0;
  std::uint64_t messages_in_flight = 0;  ///< that ZeroMQ took and did not send
  socket_statistics socket{};
  double seconds = 0;
};

/// A `sent_count` counts the messages that ZeroMQ took, and knows how many of them it sent.
class sent_count {
 public:
  std::uint64_t messages() const noexcept { return messages_; }
  std::uint64_t bytes() const noexcept { return bytes_; }

  /// Begins to measure the time.
  void start() noexcept { start_ = clock::now(); }

  void add_copied(std::uint64_t bytes) noexcept { copied_ += bytes; }

  /// Adds a message that the socket took.
  void add(std::uint64_t bytes, const socket& over);

  sent_totals totals(const socket& over);

 private:
  using clock = std::chrono::steady_clock;

  void drop_sent_sizes(std::uint64_t in_flight);

  static constexpr std::size_t min_looked = 4096;
  clock::time_point start_{};
  std::uint64_t messages_ = 0, bytes_ = 0, copied_ = 0;
  std::deque<std::uint64_t> waiting_{};  ///< sizes of the last messages, which may not be sent yet
  std::size_t next_look_ = min_looked;
};

}  // namespace tgmap::zio
