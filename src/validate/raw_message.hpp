// SPDX-License-Identifier: Apache-2.0
// The bytes of one message, copied before they are believed: in a file they may change, or go.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/archive.hpp>
#include <vector>

namespace tgmap::checks {

/// Where a worker looks at one message after another; its memory is used again. Offsets count from the message.
///
/// An archive in memory, or mapped in a process with a guard, is read where it lies; any other, and large messages of
/// which payloads are not wanted, by positioned reads, a window at a time, so that nothing is held, no more is read
/// than is asked for, and no signal is raised.
class raw_message {
 public:
  /// The archive whose messages come next. `payloads`: all of a message will be looked at.
  void begin(const archive& of, bool payloads) noexcept;

  /// Whether the archive that `begin` was told of is read where it lies.
  bool mapped() const noexcept { return mapped_; }

  /// Goes to a message. Small ones are copied as a whole, together with those behind it up to `until`, an archive
  /// offset. Errors: file_shrank, of the operating system.
  failure open(const tgmap::message&, std::uint64_t until);

  std::uint64_t size() const noexcept { return size_; }

  /// In `read` mode the archive keeps the metadata that is read through it.
  bool archive_keeps_metadata() const noexcept { return of_->mode() == io_mode::read; }

  /// A copy of [at, at + n) with n <= `most_looked`, which the caller has held against size(). Valid until the next
  /// look. Errors: file_shrank, of the operating system.
  std::span<const std::byte> look(std::uint64_t at, std::size_t n, failure& why) {
    const std::uint64_t from = offset_ + at;
    if (from < window_at_ || from + n > window_at_ + window_size_) {
      why = move_window_around(from, n);
      if (why) return {};
    }
    return std::span(window_).subspan(static_cast<std::size_t>(from - window_at_), n);
  }

  /// A copy of any size, valid until the next load. Errors: as look; std::bad_alloc.
  std::span<const std::byte> load(std::uint64_t at, std::uint64_t n, failure&);

  /// XXH3-64 of [at, at + n). Errors: as look; std::bad_alloc.
  std::uint64_t hash(std::uint64_t at, std::uint64_t n, failure&);

  static constexpr std::size_t most_looked = 64;

  /// The message was copied as a whole: what was loaded stays valid until the next open.
  bool whole() const noexcept { return holds(offset_, size_); }

  /// Whether a copy of [at, at + n) of the archive is here already.
  bool holds(std::uint64_t at, std::uint64_t n) const noexcept {
    return at >= window_at_ && at + n <= window_at_ + window_size_ && window_size_ != 0;
  }
  /// All of it, when it is whole.
  std::span<const std::byte> bytes() const noexcept {
    return std::span(window_).subspan(static_cast<std::size_t>(offset_ - window_at_), static_cast<std::size_t>(size_));
  }

  /// Up to this size messages are copied as a whole.
  std::uint64_t small() const noexcept { return small_; }
  static constexpr std::size_t most_ahead = 64 << 10;

 private:
  failure copy(std::uint64_t from, std::span<std::byte> out) const;
  failure move_window(std::uint64_t from, std::uint64_t size);
  failure move_window_around(std::uint64_t from, std::size_t n);
  std::uint64_t hash_by_reads(std::uint64_t from, std::uint64_t n, failure&);

  static constexpr std::size_t around = 512;  ///< of messages that are not small this much at a time, of one page

  const archive* of_ = nullptr;
  bool mapped_ = false, payloads_ = false;
  std::uint64_t small_ = 0;
  const std::byte* mapping_ = nullptr;  ///< of the message; touched under a guard only
  std::uint64_t offset_ = 0, size_ = 0;
  std::uint64_t window_at_ = 0, window_size_ = 0;  ///< in the archive
  std::array<std::byte, most_ahead> window_;
  std::vector<std::byte> loaded_;
};

}  // namespace tgmap::checks
