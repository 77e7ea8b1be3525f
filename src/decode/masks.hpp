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

/// Reads a stored mask as one bit per element. `bits` has exactly the bytes that they take. `verified`: the masks in
/// memory, or null to read them from the archive.
/// Errors: unknown_codec, codec_forbidden, codec_absent, codec_failed, bad_mask, out_of_memory, file_shrank, io.
failure read_object_mask(const object&, const mask&, std::uint64_t elements, codec_set allowed,
                         std::span<const std::byte> verified, core::scratch& blob, std::span<std::byte> bits) noexcept;

/// A `mask_bits` holds the masks of one object, in memory of the caller.
class mask_bits {
 public:
  /// Reads the masks into `bits`. Ignores masks of types that have no NaN (§6.2).
  /// Errors: bad_combination (masks of a bitmask), those of read_object_mask.
  failure load(const plan&, const object& object, core::scratch& blob, core::scratch& bits) noexcept;

  bool empty() const noexcept { return count_ == 0; }

  /// Restores NaN and infinities in the elements from index `first` on, in byte order `order`.
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
