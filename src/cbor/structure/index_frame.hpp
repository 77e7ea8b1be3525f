// SPDX-License-Identifier: Apache-2.0
// Index frames, specification §3.1: {"offsets": [...], "lengths": [...], "object_count": n}.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/error.hpp>

#include "cbor/head.hpp"

namespace tgmap::cbor {

/// An `integers` reads the unsigned integers of a CBOR array in place, one after the other.
class integers {
 public:
  integers() noexcept = default;

  /// Reads the array at the start of `item`; valid() is false if it is not an array.
  explicit integers(std::span<const std::byte> item) noexcept;

  bool valid() const noexcept { return valid_; }

  /// Returns false at the end; and, with bad() true, at anything that is not an unsigned integer.
  bool next(std::uint64_t& out) noexcept {
    if (left_ == 0) return false;
    head number;
    if (!read_head(at_, end_, number) || number.major != major::unsigned_integer) {
      bad_ = left_ != until_break || !number.is_break();
      left_ = 0;
      return false;
    }
    if (left_ != until_break) --left_;
    out = number.argument;
    return true;
  }
  bool bad() const noexcept { return bad_; }

  /// Returns the end of the array, after `next` has returned false without `bad`.
  const std::byte* end() const noexcept { return at_; }

 private:
  static constexpr std::uint64_t until_break = UINT64_MAX;

  const std::byte* at_ = nullptr;
  const std::byte* end_ = nullptr;
  std::uint64_t left_ = 0;
  bool valid_ = false, bad_ = false;
};

/// An `index_view` is a checked index frame: as many lengths as offsets, all unsigned integers.
/// Lifetime: borrows the body.
struct index_view {
  integers offsets;
  integers lengths;         ///< invalid if the frame has none
  std::uint64_t count = 0;  ///< number of objects
};

/// Reads the body of an index frame. No allocation.
/// Errors: bad_index, index_count_mismatch, bad_cbor, duplicate_key. Complexity: O(bytes).
[[nodiscard]] failure read_index(std::span<const std::byte> body, index_view& out) noexcept;

}  // namespace tgmap::cbor
