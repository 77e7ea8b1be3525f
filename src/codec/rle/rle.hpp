// SPDX-License-Identifier: Apache-2.0
// Bits as lengths of alternating runs (§6.2 "rle"): a byte 0 or 1, the value of the first run, then LEB128 lengths.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tgmap::codec {

/// Reads runs of `bits` bits into `packed`, which holds exactly as many bytes as they take. The first bit is the most
/// significant one; padding bits become 0. `total` is the number of bits in the runs, up to the first malformed one.
/// Returns false if the runs are malformed or `total` is not `bits`. Never writes outside of `packed`.
[[nodiscard]] bool read_runs(std::span<const std::byte> runs, std::uint64_t bits, std::span<std::byte> packed,
                             std::uint64_t& total) noexcept;

/// Sets bits [first, first + count) of a packed mask.
void set_bits(std::span<std::byte> packed, std::uint64_t first, std::uint64_t count) noexcept;

// Encoding: packed bits as the lengths of alternating runs.

/// Returns the index of the first bit after `from` that differs from the bit at `from`, or `bits`. `from` < `bits`.
[[nodiscard]] std::uint64_t end_of_run(std::span<const std::byte> packed, std::uint64_t bits,
                                       std::uint64_t from) noexcept;

/// Returns an upper bound of the bytes of the runs. Complexity: O(bytes of `packed`).
[[nodiscard]] std::uint64_t max_run_bytes(std::span<const std::byte> packed, std::uint64_t bits) noexcept;

/// Writes runs to `out`, which has max_run_bytes() bytes, and returns their size. Without bits it writes nothing.
std::size_t write_runs(std::span<const std::byte> packed, std::uint64_t bits, std::span<std::byte> out) noexcept;

}  // namespace tgmap::codec
