// SPDX-License-Identifier: Apache-2.0
// Distributes the messages of an archive among threads, and returns their results in order.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "validate/check_messages.hpp"

namespace tgmap::validation {

/// A `batch_queue` divides the messages of a scanned archive into numbered batches, and keeps the result of each batch
/// until its turn. Thread safety: all functions except the constructor.
class batch_queue {
 public:
  /// `capacity`: maximum number of batches that are being checked or wait for their turn. `max_decoded`: limit of the
  /// decoded bytes of all objects; the message that exceeds it and all after it are in no batch.
  batch_queue(const archive& source, std::size_t messages, std::size_t capacity, const total_limit& max_decoded)
      : archive_(source), messages_(messages), max_decoded_(max_decoded), results_(capacity) {}

  /// Returns the messages of the next batch and its number. Blocks while too many results wait. Returns nothing after
  /// the last batch, or after stop().
  std::optional<message_range> next_range(std::size_t& number);
  void add_result(std::size_t number, batch_result&&) noexcept;

  /// Returns the results in order of their numbers. Blocks until the next one is there. Returns nothing after the last
  /// one, or after stop().
  std::optional<batch_result> next_result();

  /// Ends the distribution, and all calls that block.
  void stop() noexcept;

  /// The same, with a reason. The first reason is kept.
  void stop(const failure&) noexcept;
  failure stop_reason() const;

  /// Returns the failure of the object that exceeds `max_decoded`, if there is one.
  failure decoded_limit_failure() const;

 private:
  message_range cut_range();
  bool add_decoded_size(const message&, std::size_t index);
  std::optional<batch_result>& slot(std::size_t number) noexcept { return results_[number % results_.size()]; }

  const archive& archive_;
  std::size_t messages_;
  const total_limit max_decoded_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t next_message_ = 0;
  std::size_t batches_ = 0, results_taken_ = 0;
  std::uint64_t decoded_ = 0;  ///< decoded bytes of the objects of all batches so far
  bool is_stopped_ = false;
  failure stop_reason_, decoded_limit_failure_;
  std::vector<std::optional<batch_result>> results_;
};

/// Returns an upper bound of the number of batches of an archive.
std::size_t max_batch_count(std::size_t messages, std::uint64_t bytes) noexcept;

}  // namespace tgmap::validation
