// SPDX-License-Identifier: Apache-2.0
// Unpacking without a question asked: one width a loop, for this processor, with the next bytes always there.
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

}  // namespace tgmap_bench
