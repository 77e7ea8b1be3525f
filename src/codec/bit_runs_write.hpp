// SPDX-License-Identifier: Apache-2.0
// Bits as lengths of alternating runs, the way out: see bit_runs.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tgmap::codec {

/// The first bit from `from` on that is unlike the one at `from`, or `bits`. `packed` holds that many, the first one
/// highest; `from` lies before `bits`.
[[nodiscard]] std::uint64_t end_of_run(std::span<const std::byte> packed, std::uint64_t bits,
                                       std::uint64_t from) noexcept;

/// Bytes that the runs take at the most. O(bytes of `packed`).
[[nodiscard]] std::uint64_t most_run_bytes(std::span<const std::byte> packed, std::uint64_t bits) noexcept;

/// Writes the runs to `out`, which has room for the most they can be. Gives their size; nothing is written of no bits.
std::size_t pack_runs(std::span<const std::byte> packed, std::uint64_t bits, std::span<std::byte> out) noexcept;

}  // namespace tgmap::codec
