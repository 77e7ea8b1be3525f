// SPDX-License-Identifier: Apache-2.0
// Index frames, specification §3.1: {"offsets": [...], "lengths": [...], "object_count": n}.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/error.hpp>

namespace tgmap::cbor {

/// The unsigned integers of a CBOR array where they lie, one after another.
class integers {
 public:
  integers() noexcept = default;

  /// The array item at the start of `item`; `valid()` is false when it is no array.
  explicit integers(std::span<const std::byte> item) noexcept;

  bool valid() const noexcept { return valid_; }

  /// False at the end, and, with `bad()` true, at anything that is no unsigned integer.
  bool next(std::uint64_t& out) noexcept;
  bool bad() const noexcept { return bad_; }

 private:
  const std::byte* at_ = nullptr;
  const std::byte* end_ = nullptr;
  std::uint64_t left_ = 0;
  bool valid_ = false, indefinite_ = false, bad_ = false;
};

/// An index frame found sound: as many lengths as offsets, all unsigned integers. Borrows the body's bytes.
struct index_view {
  integers offsets;
  integers lengths;         ///< invalid when the frame has none
  std::uint64_t count = 0;  ///< objects
};

/// Reads the body of an index frame. O(bytes), no allocation. Errors: bad_index, index_count, bad_cbor.
[[nodiscard]] failure read_index(std::span<const std::byte> body, index_view& out) noexcept;

}  // namespace tgmap::cbor
