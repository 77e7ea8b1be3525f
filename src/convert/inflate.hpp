// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tgmap::convert {

/// Whether any deflated bytes of that number can give so many: before memory is taken for them.
bool can_inflate_to(std::uint64_t packed, std::uint64_t size) noexcept;

/// Undoes deflate (RFC 1951, without a header). False unless just `out.size()` bytes come out. O(out), no more memory
/// than zlib's own.
bool inflate(std::span<const std::byte> packed, std::span<std::byte> out);

}  // namespace tgmap::convert
