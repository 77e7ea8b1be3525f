// SPDX-License-Identifier: Apache-2.0
// The bytes of one message, copied before they are believed: under a mapping they may change, or go.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/message.hpp>
#include <vector>

namespace tgmap::checks {

/// Where a worker looks at one message after another; its memory is used again. Offsets count from the message.
class raw_message {
 public:
  /// Errors: of message::bytes, file_shrank.
  failure open(const tgmap::message&);

  std::uint64_t size() const noexcept { return all_.size(); }

  /// A copy of [at, at + n) with n <= `most_looked`, which the caller has held against size(). Valid until the next
  /// look. Errors: file_shrank.
  std::span<const std::byte> look(std::uint64_t at, std::size_t n, failure&);

  /// A copy of any size, valid until the next load. Errors: file_shrank; std::bad_alloc.
  std::span<const std::byte> load(std::uint64_t at, std::uint64_t n, failure&);

  /// XXH3-64 of [at, at + n). Errors: file_shrank.
  std::uint64_t hash(std::uint64_t at, std::uint64_t n, failure&) const;

  static constexpr std::size_t most_looked = 64;

  /// The message is small enough to have been copied as a whole: what was loaded stays valid until the next open.
  bool whole() const noexcept { return window_at_ == 0 && window_size_ == all_.size(); }

 private:
  failure copy(std::uint64_t at, std::span<std::byte> out) const;

  static constexpr std::size_t small = 16 << 10;  ///< messages up to this size are copied as a whole
  static constexpr std::size_t around = 512;      ///< of larger ones this much at a time

  std::span<const std::byte> all_;  ///< touched under a guard only
  std::array<std::byte, small> window_;
  std::uint64_t window_at_ = 0;
  std::size_t window_size_ = 0;
  std::vector<std::byte> loaded_;
};

}  // namespace tgmap::checks
