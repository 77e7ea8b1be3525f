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

// Bits as lengths of alternating runs, the way out: see bit_runs.hpp.

/// The first bit from `from` on that is unlike the one at `from`, or `bits`. `packed` holds that many, the first one
/// highest; `from` lies before `bits`.
[[nodiscard]] std::uint64_t end_of_run(std::span<const std::byte> packed, std::uint64_t bits,
                                       std::uint64_t from) noexcept;

/// Bytes that the runs take at the most. O(bytes of `packed`).
[[nodiscard]] std::uint64_t most_run_bytes(std::span<const std::byte> packed, std::uint64_t bits) noexcept;

/// Writes the runs to `out`, which has room for the most they can be. Gives their size; nothing is written of no bits.
std::size_t pack_runs(std::span<const std::byte> packed, std::uint64_t bits, std::span<std::byte> out) noexcept;

}  // namespace tgmap::codec
