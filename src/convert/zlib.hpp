// SPDX-License-Identifier: Apache-2.0
// CRC-32 and inflate for spans of any size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tgmap::convert {

/// Returns the CRC-32 of ZIP archives. `previous` is the result for the bytes before these.
std::uint32_t crc32(std::span<const std::byte>, std::uint32_t previous = 0) noexcept;

/// Returns true if `packed` bytes of deflate can expand to `size` bytes. Call it before allocating `size` bytes.
bool can_inflate_to(std::uint64_t packed, std::uint64_t size) noexcept;

/// Decompresses deflate without a header (RFC 1951) into `out`. Returns false unless exactly `out.size()` bytes come
/// out. Allocates only what zlib itself needs.
/// Complexity: O(out).
bool inflate(std::span<const std::byte> packed, std::span<std::byte> out);

}  // namespace tgmap::convert
