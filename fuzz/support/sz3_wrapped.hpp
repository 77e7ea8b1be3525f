// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tgmap_fuzz {

/// The container of SZ3 around a content of up to 64 KiB, which zstd would give back as it is. Not Lorenzo:
/// interpolation.
std::vector<std::byte> sz3_wrapped(std::span<const std::byte> content, std::uint64_t elements, bool lorenzo,
                                   std::uint8_t block_size);

}  // namespace tgmap_fuzz
