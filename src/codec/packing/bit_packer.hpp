// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "wire/bytes.hpp"

namespace tgmap::codec {

/// Puts integers of any width one behind the other, the high bit first; eight bytes are written at a time.
class bit_packer {
 public:
  /// Room for all that is put, up to the last byte that is begun.
  explicit bit_packer(std::byte* to) noexcept : to_(to) {}

  /// `number` is below 2^bits; bits: 1 to 64.
  void put(std::uint64_t number, unsigned bits) noexcept {
    if (held_ + bits < 64) {
      word_ = word_ << bits | number;
      held_ += bits;
      return;
    }
    const unsigned left = held_ + bits - 64;  // of this number, for the next word
    const std::uint64_t before = held_ == 0 ? 0 : word_ << (bits - left);
    wire::store_be(to_, before | number >> left);
    to_ += 8;
    word_ = number;  // bits above those that are left are shifted out
    held_ = left;
  }

  /// The last bytes; what is left of them is zero.
  void finish() noexcept {
    if (held_ == 0) return;
    const std::uint64_t last = word_ << (64 - held_);
    for (unsigned at = 0; at < held_; at += 8) *to_++ = static_cast<std::byte>(last >> (56 - at));
    held_ = 0;
  }

 private:
  std::byte* to_;
  std::uint64_t word_ = 0;
  unsigned held_ = 0;  ///< bits of `word_` that count, the lowest; below 64
};

}  // namespace tgmap::codec
