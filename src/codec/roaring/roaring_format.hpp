// SPDX-License-Identifier: Apache-2.0
// The portable serialisation of a roaring bitmap, looked through before the library sees it: CRoaring checks that it
// does not read beyond the end, but believes counts, orders and keys.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/error.hpp>

namespace tgmap::codec {

/// Whether this is exactly one well-formed bitmap, all of whose members are below `bits`. O(bytes), no allocation.
[[nodiscard]] bool well_formed_roaring(std::span<const std::byte>, std::uint64_t bits) noexcept;

// Bits as a roaring bitmap of those that are set, the way out: see roaring_bits.hpp.

/// Bytes that a bitmap of so many bits takes at the most.
[[nodiscard]] std::uint64_t most_roaring_bytes(std::uint64_t bits) noexcept;

/// Writes the bitmap to `out`, which has room for the most it can be, in the one form that the reference's optimized
/// bitmaps have. `packed` holds the bits, the first one highest, those behind the last 0; at most 2^32 - 1 of them.
/// Gives its size.
std::size_t pack_roaring(std::span<const std::byte> packed, std::span<std::byte> out) noexcept;

}  // namespace tgmap::codec
