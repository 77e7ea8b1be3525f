// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <tgmap/zio/socket.hpp>

namespace tgmap::cli {

struct session;

/// A `sent_count` counts the messages that ZeroMQ took, and reports how many of them it sent.
class sent_count {
 public:
  std::uint64_t messages() const noexcept { return messages_; }
  std::uint64_t bytes() const noexcept { return bytes_; }

  /// Begins to measure the time.
  void start() noexcept { start_ = clock::now(); }

  void add_copied(std::uint64_t bytes) noexcept { copied_ += bytes; }

  /// Adds a message that the socket took.
  void add(std::uint64_t bytes, const zio::socket& over);

  /// Prints what was sent: a JSON object, or a hint. `ended`: why sending ended.
  void report(const zio::socket& over, const std::string& endpoint, std::string_view ended, bool as_json, session&);

 private:
  using clock = std::chrono::steady_clock;

  void drop_sent_sizes(std::uint64_t in_flight);

  static constexpr std::size_t min_looked = 4096;
  clock::time_point start_{};
  std::uint64_t messages_ = 0, bytes_ = 0, copied_ = 0;
  std::deque<std::uint64_t> waiting_{};  ///< sizes of the last messages, which may not be sent yet
  std::size_t next_look_ = min_looked;
};

}  // namespace tgmap::cli
