// SPDX-License-Identifier: Apache-2.0
// Bits as lengths of alternating runs (§6.2 "rle"): byte 0 or 1, the value of the first run, then LEB128 lengths.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tgmap::codec {

/// Writes `bits` bits, most significant first, into `packed`, which holds exactly as many bytes as they take; bits
/// behind the last are zero. False where the runs are malformed. `told`: the bits the runs tell of; true only when it
/// is `bits`. Nothing is written beyond `packed` whatever they tell.
[[nodiscard]] bool unpack_runs(std::span<const std::byte> runs, std::uint64_t bits, std::span<std::byte> packed,
                               std::uint64_t& told) noexcept;

/// Sets bits [first, first + count) of a packed mask.
void set_bits(std::span<std::byte> packed, std::uint64_t first, std::uint64_t count) noexcept;

}  // namespace tgmap::codec
