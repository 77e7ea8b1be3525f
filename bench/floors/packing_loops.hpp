// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tgmap_bench {

/// Number of readable bytes required after the packed bytes.
inline constexpr std::size_t unpack_overread = 32;

/// Computes `out[i] = reference + scale * X` for numbers of 8, 12, 16 or 24 bits, by AVX2 if the processor has it.
/// Returns false for other widths.
bool bare_unpack(const std::byte* packed, unsigned bits, double reference, double scale, std::span<double> out);

/// Reads all bytes and fills `out`, a quarter of their size, with values that depend on all of them. This is the memory
/// traffic of packing doubles to 16 bits.
void quarter(std::span<const std::byte> from, std::span<std::byte> out);

}  // namespace tgmap_bench
