// SPDX-License-Identifier: Apache-2.0
// Fewer positioned reads for the structure of consecutive messages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <tgmap/error.hpp>

namespace tgmap::io {

class source;

/// While a `block_reads` lives, its thread loads structure of one file in blocks: those of a small message have the
/// messages behind it, too, if it follows the one before, and those of a large one a page. A message of 1.4 KB takes a
/// thirtieth of a read, where it took ten. What is loaded is as it was when its block was read. Other sources are read
/// as without it. Lifetime: borrows the source. Thread safety: one thread. Throws std::bad_alloc when it is made.
class block_reads {
 public:
  explicit block_reads(const source&);

  /// The same for a source whose bytes are read in any order, and most of them: one that is no larger than a block is
  /// read at once, when a byte of it is read. A table by an index of 50 columns took 130 reads of it.
  static block_reads of_records(const source& in) { return block_reads(in, true); }
  block_reads(const block_reads&) = delete;
  block_reads& operator=(const block_reads&) = delete;
  ~block_reads();

  /// Says that the bytes of a message are read next.
  void begin_message(std::uint64_t offset, std::uint64_t length) noexcept;

  /// Returns that of this thread for a source, or null.
  static block_reads* of(const source& in) noexcept {
    return current != nullptr && current->in_ == &in ? current : nullptr;
  }

  /// Copies bytes of the source. Errors: as source::read.
  failure read(std::uint64_t offset, std::span<std::byte> out) noexcept;

 private:
  block_reads(const source&, bool reads_all);

  static constexpr std::uint64_t small_message = 16 << 10, block = 64 << 10, page = 4 << 10;
  static inline thread_local block_reads* current = nullptr;

  const source* in_;
  block_reads* before_;
  std::unique_ptr<std::byte[]> bytes_;
  std::uint64_t begin_ = 0, size_ = 0;  ///< what is in `bytes_`
  std::uint64_t end_ = 0;               ///< of what may be read
  std::uint64_t most_ = page;
  bool reads_all_ = false;
  std::uint64_t next_ = 0;  ///< where the message behind the last one begins
};

}  // namespace tgmap::io
