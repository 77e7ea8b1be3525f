// SPDX-License-Identifier: Apache-2.0
// Where a row of lz4 sequences can be cut.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tgmap::codec {

/// Literals with which every row of sequences must end, as the library has it.
inline constexpr std::size_t lz4_last_literals = 5;

/// A sequence that has so many literals at least: a row of sequences may end with the first of them.
struct lz4_cut {
  std::size_t token = 0;     ///< where the sequence begins
  std::size_t literals = 0;  ///< where its literals do; 0: there is no such sequence
  std::uint64_t count = 0;   ///< of its literals, which need not all be there
};

/// The last one in `bytes`, which begin with a sequence and end anywhere. O(sequences)
lz4_cut find_last_lz4_cut(std::span<const std::byte> bytes) noexcept;

}  // namespace tgmap::codec
