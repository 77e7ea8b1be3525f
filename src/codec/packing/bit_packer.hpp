// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "wire/bytes.hpp"

namespace tgmap::codec {

/// A `bit_packer` writes integers of any width next to each other, the high bit first, eight bytes at a time.
class bit_packer {
 public:
  /// `to` has room for all integers, rounded up to whole bytes.
  explicit bit_packer(std::byte* to) noexcept : to_(to) {}

  /// Appends `number`, which is below 2^bits; `bits` is 1 to 64.
  void put(std::uint64_t number, unsigned bits) noexcept {
    if (pending_bits_ + bits < 64) {
      word_ = word_ << bits | number;
      pending_bits_ += bits;
      return;
    }
    const unsigned left = pending_bits_ + bits - 64;  // bits of this number that go to the next word
    const std::uint64_t before = pending_bits_ == 0 ? 0 : word_ << (bits - left);
    wire::store_be(to_, before | number >> left);
    to_ += 8;
    word_ = number;  // higher bits are shifted out later
    pending_bits_ = left;
  }

  /// Writes the last bytes; padding bits are 0.
  void finish() noexcept {
    if (pending_bits_ == 0) return;
    const std::uint64_t last = word_ << (64 - pending_bits_);
    for (unsigned at = 0; at < pending_bits_; at += 8) *to_++ = static_cast<std::byte>(last >> (56 - at));
    pending_bits_ = 0;
  }

 private:
  std::byte* to_;
  std::uint64_t word_ = 0;
  unsigned pending_bits_ = 0;  ///< bits of `word_` that count, the lowest; below 64
};

}  // namespace tgmap::codec
