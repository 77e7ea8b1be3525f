// SPDX-License-Identifier: Apache-2.0
// Values with a bitmap. GRIB stores values only for the points whose bit is set; an object has a value at every point,
// and a mask of those that have none. The bits may change while they are read: nothing is read or written outside then.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "bridge/grib/packing/byte_buffer.hpp"
#include "bridge/grib/packing/integers.hpp"

namespace tgmap {
inline namespace v0 {
namespace bridge::grib {

/// Returns the number of set bits among the first `points`. `bits` has their bytes.
std::uint64_t count_set_bits(byte_view bits, std::uint64_t points) noexcept;

/// Writes the values of the points whose bit is set to their places in `out`, which has one for each point. A point
/// without a value repeats the one before it, or takes the first value: that costs a compressor least. Without values
/// all are 0. `values` has one for each set bit.
template <class Integer>
void scatter_values(std::span<const Integer> values, byte_view bits, std::span<Integer> out) noexcept;

/// Copies the values of the points whose bit is set to `out`, one after the other. `out` has one for each set bit.
template <class Integer>
void gather_values(std::span<const Integer> points, byte_view bits, std::span<Integer> out) noexcept;

/// Does the same as scatter_values for elements of `size` bytes, 4 or 8; a point without a value is 0.
void scatter_elements(byte_view values, std::size_t size, byte_view bits, std::uint64_t points,
                      std::span<std::byte> out) noexcept;
void gather_elements(byte_view points, std::size_t size, byte_view bits, std::uint64_t count,
                     std::span<std::byte> out) noexcept;

/// A `mask_blob` is a mask as an object stores it.
/// Lifetime: of `bytes`, that of the memory which encode_mask was given.
struct mask_blob {
  byte_view bytes{};
  std::string_view method{};  ///< "none" or "rle"; static text
};

/// Encodes the mask of the points whose bit is *not* set: as runs if these take less than half of the bytes, else as
/// bits.
/// Errors: out_of_memory.
/// Complexity: linear in `points`.
/// Spec: §6.2.
mask_blob encode_mask(byte_view bits, std::uint64_t points, byte_buffer& memory, failure& why) noexcept;

}  // namespace bridge::grib
}  // namespace v0
}  // namespace tgmap
