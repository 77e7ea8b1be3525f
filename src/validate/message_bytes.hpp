// SPDX-License-Identifier: Apache-2.0
// Access to the bytes of one message. Checks read a copy, because bytes of a file can change or disappear at any time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/archive.hpp>
#include <vector>

namespace tgmap::validation {

/// A `message_bytes` copies bytes of one message after another into memory that it reuses. Offsets count from the begin
/// of the message.
///
/// Bytes of an archive in memory, or of a mapped one with a guard, are copied from there. Other archives are read a
/// window at a time, which keeps nothing and raises no signal. So are large messages whose payloads are not needed.
class message_bytes {
 public:
  /// Sets the archive of the messages that follow. `with_payloads`: all bytes of each message will be read.
  void set_archive(const archive&, bool with_payloads) noexcept;

  /// Returns true if the archive is in memory, or mapped with a guard.
  bool is_mapped() const noexcept { return is_mapped_; }

  /// Selects a message. Copies a small one whole, together with those after it up to `until`, an archive offset.
  /// Errors: file_shrank, of the operating system.
  failure open(const tgmap::message&, std::uint64_t until);

  std::uint64_t size() const noexcept { return size_; }

  /// Returns true if the archive keeps the metadata that is read through it, as in `io_mode::read`.
  bool archive_keeps_metadata() const noexcept { return archive_->mode() == io_mode::read; }

  /// Returns a copy of bytes [at, at + n), which must be in the message; n <= `max_peek`.
  /// Lifetime: until the next call of peek(). Errors: file_shrank, of the operating system.
  std::span<const std::byte> peek(std::uint64_t at, std::size_t n, failure& why) {
    const std::uint64_t from = offset_ + at;
    if (from < window_at_ || from + n > window_at_ + window_size_) {
      why = move_window_around(from, n);
      if (why) return {};
    }
    return std::span(window_).subspan(static_cast<std::size_t>(from - window_at_), n);
  }
  static constexpr std::size_t max_peek = 64;

  /// Returns a copy of bytes [at, at + n) of any size.
  /// Lifetime: until the next call of load(), or until open() if the message is buffered. Errors: as peek();
  /// std::bad_alloc.
  std::span<const std::byte> load(std::uint64_t at, std::uint64_t n, failure&);

  /// Returns the XXH3-64 of bytes [at, at + n). Errors: as peek(); std::bad_alloc.
  std::uint64_t hash(std::uint64_t at, std::uint64_t n, failure&);

  /// Returns true if the whole message is in the window.
  bool is_buffered() const noexcept { return is_in_window(offset_, size_); }

  /// Returns true if bytes [at, at + n) of the archive are in the window.
  bool is_in_window(std::uint64_t at, std::uint64_t n) const noexcept {
    return at >= window_at_ && at + n <= window_at_ + window_size_ && window_size_ != 0;
  }

  /// Returns the whole message, which must be buffered.
  std::span<const std::byte> buffered() const noexcept {
    return std::span(window_).subspan(static_cast<std::size_t>(offset_ - window_at_), static_cast<std::size_t>(size_));
  }

  /// Returns the maximum size of messages that are copied whole.
  std::uint64_t small_size() const noexcept { return small_size_; }
  static constexpr std::size_t window_capacity = 64 << 10;

 private:
  failure copy(std::uint64_t from, std::span<std::byte> out) const;
  failure move_window(std::uint64_t from, std::uint64_t size);
  failure move_window_around(std::uint64_t from, std::size_t n);
  std::uint64_t hash_by_reads(std::uint64_t from, std::uint64_t n, failure&);

  const archive* archive_ = nullptr;
  bool is_mapped_ = false, with_payloads_ = false;
  std::uint64_t small_size_ = 0;
  const std::byte* mapping_ = nullptr;  ///< of the message; read only under a guard
  std::uint64_t offset_ = 0, size_ = 0;
  std::uint64_t window_at_ = 0, window_size_ = 0;  ///< in the archive
  std::array<std::byte, window_capacity> window_;
  std::vector<std::byte> loaded_;
};

}  // namespace tgmap::validation
