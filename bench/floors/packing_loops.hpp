// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tgmap_bench {

/// Bytes that must follow what is unpacked.
inline constexpr std::size_t unpack_overread = 32;

/// `out[i] = reference + scale * X` for numbers of 8, 12, 16 or 24 bits; of another width false. AVX2 where there is
/// AVX2, else a plain loop.
bool bare_unpack(const std::byte* packed, unsigned bits, double reference, double scale, std::span<double> out);

/// Reads all, and fills `out`, a quarter of it, with something that depends on all: 16 bits of each double.
void quarter(std::span<const std::byte> from, std::span<std::byte> out);

}  // namespace tgmap_bench
