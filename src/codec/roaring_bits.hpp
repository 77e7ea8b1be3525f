// SPDX-License-Identifier: Apache-2.0
// Bits as a roaring bitmap of those that are set (§6.2 "roaring").
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/error.hpp>

namespace tgmap::codec {

/// Writes `bits` bits, most significant first, into `packed`, which holds exactly as many bytes as they take; bits
/// behind the last are zero. Errors: codec_failed, out_of_memory.
[[nodiscard]] failure unpack_roaring(std::span<const std::byte> blob, std::uint64_t bits,
                                     std::span<std::byte> packed) noexcept;

}  // namespace tgmap::codec
