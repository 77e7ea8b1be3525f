// SPDX-License-Identifier: Apache-2.0
// The mask of missing values of an object, as the import writes it.
#pragma once

#include <cstdint>
#include <tgmap/cbor_view.hpp>

#include "bridge/grib/packing/byte_buffer.hpp"
#include "bridge/grib/packing/integers.hpp"

namespace tgmap {
inline namespace v0 {
namespace bridge::grib {

/// An `object_mask` says which elements of an object have a value.
/// Lifetime: of `present`, that of the memory which read_object_mask was given.
struct object_mask {
  bool is_there = false;
  byte_view present{};             ///< a set bit for each element with a value; bits after the last one are 0
  std::uint64_t payload_size = 0;  ///< bytes before the mask
};

/// Returns true if the masks of a descriptor are none, or one of NaN by the methods "none" or "rle".
bool is_usual_mask(const cbor_view& descriptor) noexcept;

/// Reads the mask of an object of `elements` elements. Without a mask all bytes are the payload.
/// Errors: packing_changed (other masks); bad_sections (a mask outside the bytes, or of other elements); out_of_memory.
object_mask read_object_mask(const cbor_view& descriptor, byte_view payload_and_masks, std::uint64_t elements,
                             byte_buffer& memory, failure& why) noexcept;

/// Sets the bits [begin, end) of `bits`.
void set_bits(std::span<std::byte> bits, std::uint64_t begin, std::uint64_t end) noexcept;

}  // namespace bridge::grib
}  // namespace v0
}  // namespace tgmap
