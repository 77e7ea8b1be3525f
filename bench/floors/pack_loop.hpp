// SPDX-License-Identifier: Apache-2.0
// What memory allows of packing: reads that many bytes, and writes fewer.
#pragma once

#include <cstddef>
#include <span>

namespace tgmap_bench {

/// Reads all, and fills `out`, a quarter of it, with something that depends on all: 16 bits of each double.
void quarter(std::span<const std::byte> from, std::span<std::byte> out);

}  // namespace tgmap_bench
