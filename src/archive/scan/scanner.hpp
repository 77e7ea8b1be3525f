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

  /// Takes over the results of a scanner of the same archive when it was shorter. Errors: out_of_memory.
  failure resume(const scanner& older) noexcept;

  /// Scans until more than `messages` messages are known, about `bytes` more bytes are scanned, or the archive ends.
  /// Errors: of the operating system, file_shrank, out_of_memory. The results so far stay valid.
  failure advance(std::uint64_t messages, std::uint64_t bytes, const std::stop_token&) const noexcept;

  const message_table& table() const noexcept { return table_; }
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

  mutable message_table table_;
  mutable std::atomic<std::uint64_t> scanned_end_{0};
  mutable std::atomic<std::uint64_t> gap_count_{0};
  mutable std::atomic<bool> complete_{false};

  mutable std::mutex mutex_;  // guards the members below, and appending to the table
  mutable std::optional<search> search_;
  mutable std::list<gap> gaps_;  // not a vector: growing must not take memory for gaps that never come
  mutable std::optional<tgmap::incomplete_tail> tail_;
  mutable bool stopped_ = false;
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
