// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/object.hpp>

#include "core/memory.hpp"
#include "decode/plan.hpp"

namespace tgmap::decode {

/// Makes one bit an element of what is stored of a mask; `bits` is of exactly as many bytes as it takes.
/// Errors: unknown_codec, codec_forbidden, codec_absent, codec_failed, bad_mask, out_of_memory, file_shrank, io.
failure read_object_mask(const object&, const mask&, std::uint64_t elements, codec_set allowed, core::scratch& blob,
                         std::span<std::byte> bits) noexcept;

/// The masks of one object, in memory that is lent.
class mask_bits {
 public:
  /// Reads those that mean something; `bits` lends the memory until it is taken again. Masks of types that have no NaN
  /// say nothing; of `bitmask` they are bad_combination (§6.2). Errors: also those of read_mask_of.
  failure load(const plan&, const object& from, core::scratch& blob, core::scratch& bits) noexcept;

  bool empty() const noexcept { return count_ == 0; }

  /// Puts NaN and infinities where the masks say, into elements from number `first` on, which are in byte order
  /// `order`.
  void put(dtype, byte_order order, std::uint64_t first, std::span<std::byte> elements) const noexcept;

 private:
  struct one {
    mask_kind kind;
    std::span<const std::byte> bits;
  };
  std::size_t count_ = 0;
  std::array<one, 3> list_{};
};

}  // namespace tgmap::decode
