// SPDX-License-Identifier: Apache-2.0
// The portable serialisation of roaring bitmaps. It is validated before CRoaring reads it, which checks the size but
// trusts counts, order and keys.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/error.hpp>

namespace tgmap::codec {

/// Checks that the bytes are exactly one well-formed bitmap whose members are all below `bits`.
/// Complexity: O(bytes), no allocation.
[[nodiscard]] bool is_valid_roaring(std::span<const std::byte>, std::uint64_t bits) noexcept;

// Encoding: packed bits as a roaring bitmap of the set ones.

/// Returns an upper bound of the bytes of a bitmap of `bits` bits.
[[nodiscard]] std::uint64_t max_roaring_bytes(std::uint64_t bits) noexcept;

/// Writes the bitmap of `packed` to `out`, which has max_roaring_bytes() bytes, and returns its size. The output is
/// that of the reference's optimized bitmaps. `packed` has at most 2^32 - 1 bits, the first one highest; padding bits
/// are 0.
std::size_t write_roaring(std::span<const std::byte> packed, std::span<std::byte> out) noexcept;

}  // namespace tgmap::codec
