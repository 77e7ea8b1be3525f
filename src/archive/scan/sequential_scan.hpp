// SPDX-License-Identifier: Apache-2.0
// Fast path of a scan over whole messages. Bars: `scan/*` in docs/cost.md; scanner_test compares it with
// parse_message_at.
#pragma once

#include <cstdint>
#include <stop_token>

#include "archive/scan/interleaved_scan.hpp"
#include "archive/scan/message_table.hpp"
#include "archive/scan/scan_way.hpp"
#include "archive/scan/stated_size.hpp"
#include "io/finder.hpp"
#include "io/read_ahead.hpp"
#include "io/scan_reader.hpp"
#include "io/window.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

/// A `sequential_scan` adds whole messages to the table, batch by batch, and leaves everything else to
/// parse_message_at. It lives for one call of scanner::advance, and has the buffers and the statistics of lengths. For
/// one thread.
class sequential_scan {
 public:
  /// `way` is that of the archive, for all of its scans. `stop` ends reads of a byte_source.
  sequential_scan(const io::source& in, message_table& table, way_choice& way,
                  const std::stop_token& stop = {}) noexcept
      : in_(&in),
        table_(&table),
        way_(&way),
        reader_(in, stop),
        read_window_(in, reader_),
        load_window_(in),
        finder_(in, stop) {}

  /// Scans from `at`, a message boundary, until about `messages` messages are added, `bytes` bytes are passed, a batch
  /// is full, or needs_parser(). Moves `at` past the last message added, also on an error.
  /// Errors: out_of_memory. Bytes that cannot be read end the scan with needs_parser().
  failure advance(std::uint64_t& at, std::uint64_t messages, std::uint64_t bytes) noexcept;

  /// Checks if advance() ended at something that only parse_message_at can decide.
  bool needs_parser() const noexcept { return needs_parser_; }

  /// Records a message that the caller added, and how many of its frames were read; or damage, with a length of 0.
  void record_message(std::uint64_t length, std::uint64_t frames) noexcept {
    undamaged_ = length == 0 ? 0 : undamaged_ + 1;
    if (length == 0) return;
    mean_ = mean_ == 0 ? length : mean_ - mean_ / 8 + length / 8;
    reads_per_message_ = frames + 1;
  }

  /// Returns the window for reads of one message.
  io::window& window() noexcept { return uses_reads() ? read_window_ : load_window_; }

  /// Does the same as source::find, but never reads a byte twice.
  std::uint64_t find(std::span<const std::byte> pattern, std::uint64_t from, std::uint64_t to, failure& why) noexcept {
    return in_->may_look(to - from) ? in_->find(pattern, from, to, why) : finder_.find(pattern, from, to, why);
  }

 private:
  /// With fewer messages or bytes, chains cost more than they gain.
  static constexpr std::uint64_t min_chain_messages = 64, min_chain_bytes = 64 << 10;

  static constexpr std::uint64_t first_region = 64 << 10, largest_region = 256 << 20;

  /// Among messages of this size, searching seeds costs more than it gains.
  static constexpr std::uint64_t large_message = 512 << 10;

  /// Measuring takes about a hundred messages, so it is done if many times as many are left.
  static constexpr std::uint64_t min_measured_messages = 4096;

  /// From this length on, a scan by reads takes one for each message, and may be cheaper than page faults.
  static constexpr std::uint64_t min_measured_length = 8 << 10;

  /// Checks if reads are so far apart that each would be a page fault of a mapping.
  bool are_apart() const noexcept { return mean_ / reads_per_message_ >= io::far_apart; }
  bool uses_reads() const noexcept { return !in_->direct() || (in_->in_file() && (mean_ == 0 || are_apart())); }
  bool is_measured(std::uint64_t at) noexcept;
  failure scan_measured(std::uint64_t& at, std::uint64_t messages, std::uint64_t bytes) noexcept;
  failure scan_by_one_chain(std::uint64_t& at, std::uint64_t messages, std::uint64_t bytes) noexcept;
  failure scan_by_chains(std::uint64_t& at, std::uint64_t messages, std::uint64_t bytes) noexcept;
  failure scan_by_window(io::window&, std::uint64_t& at, std::uint64_t messages, std::uint64_t bytes) noexcept;
  failure append(std::span<const message_table::entry>, std::uint64_t& at) noexcept;

  const io::source* in_;
  message_table* table_;
  way_choice* way_;
  io::scan_reader reader_;
  io::window read_window_, load_window_;
  io::finder finder_;
  io::read_ahead ahead_{*in_, border_before, border_behind};
  interleaved_scan chains_;
  std::uint64_t mean_ = 0;               ///< moving average of the message lengths
  std::uint64_t reads_per_message_ = 1;  ///< reads per message: one, and one for each frame of a stream
  std::uint64_t undamaged_ = 0;          ///< messages since damage, or since chains did not join
  std::uint64_t region_ = first_region;  ///< size of the next region for chains; grows while they join
  bool needs_parser_ = false;
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
