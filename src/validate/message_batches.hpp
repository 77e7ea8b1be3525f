// SPDX-License-Identifier: Apache-2.0
// Divides the messages of an archive into batches for threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "validate/check_messages.hpp"

namespace tgmap::validation {

/// A `message_batches` divides the messages of a scanned archive into batches, in order.
class message_batches {
 public:
  /// `max_decoded`: limit of the decoded bytes of all objects; the message that exceeds it and all after it are in no
  /// batch.
  message_batches(const archive& source, std::size_t messages, const total_limit& max_decoded)
      : archive_(source), messages_(messages), max_decoded_(max_decoded) {}

  /// Returns the messages of the next batch; nothing after the last one.
  std::optional<message_range> next();

  /// Returns the failure of the object that exceeds `max_decoded`, if next() has reached one.
  const failure& decoded_limit_failure() const noexcept { return decoded_limit_failure_; }

 private:
  bool add_decoded_size(const message&, std::size_t index);

  const archive& archive_;
  std::size_t messages_;
  const total_limit max_decoded_;
  std::size_t next_message_ = 0;
  std::uint64_t decoded_ = 0;  ///< decoded bytes of the objects of all batches so far
  failure decoded_limit_failure_{};
};

/// Returns an upper bound of the number of batches of an archive.
std::size_t max_batch_count(std::size_t messages, std::uint64_t bytes) noexcept;

}  // namespace tgmap::validation
