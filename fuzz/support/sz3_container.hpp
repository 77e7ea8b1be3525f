// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tgmap_fuzz {

/// Returns an SZ3 container with up to 64 KiB of content, stored without compression in a frame of zstd. The predictor
/// is Lorenzo or interpolation.
std::vector<std::byte> sz3_container(std::span<const std::byte> content, std::uint64_t elements, bool lorenzo,
                                     std::uint8_t block_size);

}  // namespace tgmap_fuzz
