// SPDX-License-Identifier: Apache-2.0
// Finds messages, gaps and the incomplete tail, lazily, front to back.
#pragma once

#include <atomic>
#include <cstdint>
#include <list>
#include <mutex>
#include <optional>
#include <stop_token>
#include <tgmap/gap.hpp>
#include <tgmap/options.hpp>
#include <vector>

#include "archive/scan/listed_messages.hpp"
#include "archive/scan/message_table.hpp"
#include "archive/scan/parse_message_at.hpp"
#include "archive/scan/sequential_scan.hpp"
#include "io/source.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

/// A `scanner` scans one archive. Messages, gaps and the tail cover the scanned part without overlap.
/// Thread safety: const members may run in any number of threads; those that scan take turns, batch by batch.
class scanner {
 public:
  scanner(const io::source& bytes, const open_options& options) noexcept : bytes_(&bytes), options_(&options) {}

  /// Begins with the messages and gaps that an index lists. Called before anything else. Errors: index_mismatch,
  /// index_damaged, out_of_memory, of the operating system; then nothing has changed.
  failure begin_with(listed_messages) noexcept;
  const listed_messages& listed() const noexcept { return listed_; }

  /// Takes over the results of a scanner of the same archive when it was shorter. Errors: out_of_memory.
  failure resume(const scanner& older) noexcept;

  /// Scans until more than `messages` messages are known, about `bytes` more bytes are scanned, or the archive ends.
  /// Errors: of the operating system, file_shrank, out_of_memory. The results so far stay valid.
  failure advance(std::uint64_t messages, std::uint64_t bytes, const std::stop_token&) const noexcept;

  /// Returns the number of known messages.
  std::size_t size() const noexcept { return table_.size(); }

  /// Finds message `i`, which must be below size(). Returns false if it is listed and was not read before; then
  /// message() reads it.
  bool find(std::size_t i, message_position& out) const noexcept { return table_.find(i, out); }

  /// Returns message `i`, which must be below size(). Errors: those of listed_messages::at.
  message_position message(std::size_t i, failure&) const noexcept;

  /// Returns the offset of message `i`, which must be below size(). That of a listed message is not compared with the
  /// archive. Errors: those of listed_messages::offset_of.
  std::uint64_t offset_of(std::size_t i, failure&) const noexcept;

  /// Returns the number of the first known message that begins at `offset` or after it; size() if there is none.
  /// Errors: those of offset_of. Complexity: O(log n).
  std::size_t first_from(std::uint64_t offset, failure&) const noexcept;

  /// Returns the number of the message that begins at `offset`, if it is known. Complexity: O(log n).
  std::optional<std::size_t> number_at(std::uint64_t offset) const noexcept;

  progress scan_progress() const noexcept;
  bool complete() const noexcept { return complete_.load(std::memory_order_acquire); }

  /// Returns the gap that ended the numbering under on_damage::stop.
  std::optional<gap> stopped_at() const noexcept;
  std::vector<gap> gaps() const;
  std::optional<tgmap::incomplete_tail> incomplete_tail() const noexcept;

 private:
  /// A search for the next message after damage, which may take many steps.
  struct search {
    std::uint64_t begin = 0;                 ///< of the damage
    std::uint64_t next = 0;                  ///< where the search continues
    failure reason{};                        ///< why there is no message at `begin`
    bool behind_stream = false;              ///< the damage follows an incomplete stream
    std::optional<std::uint64_t> cut_off{};  ///< the first place that may be an unfinished message
    failure cut_off_reason{};
  };

  // The caller holds the lock.
  std::uint64_t position() const noexcept;
  failure step(sequential_scan&, std::uint64_t messages, std::uint64_t max_bytes) const noexcept;
  failure step_message(sequential_scan&) const noexcept;
  failure step_search(sequential_scan&, std::uint64_t max_bytes) const noexcept;
  failure add_message(const message_position&) const noexcept;
  failure end_search(std::uint64_t at) const noexcept;
  failure add_gap(const gap&) const noexcept;
  void finish() const noexcept;

  const io::source* bytes_;
  const open_options* options_;

  listed_messages listed_;
  mutable message_table table_;
  mutable std::atomic<std::uint64_t> scanned_end_{0};
  mutable std::atomic<std::uint64_t> gap_count_{0};
  mutable std::atomic<bool> complete_{false};

  mutable std::mutex mutex_;  // guards the members below, and appending to the table
  mutable way_choice way_;
  mutable std::optional<search> search_;
  mutable std::list<gap> gaps_;  // not a vector: growing must not take memory for gaps that never come
  mutable std::optional<tgmap::incomplete_tail> tail_;
  mutable bool stopped_ = false;
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
