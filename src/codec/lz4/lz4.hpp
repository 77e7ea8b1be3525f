// SPDX-License-Identifier: Apache-2.0
// Finds where lz4 sequences can be split.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tgmap::codec {

/// The library requires that sequences end with this number of literals.
inline constexpr std::size_t lz4_last_literals = 5;

/// An `lz4_cut` is a sequence with at least that many literals: a block may be split after the first of them.
struct lz4_cut {
  std::size_t token = 0;     ///< offset of the sequence
  std::size_t literals = 0;  ///< offset of its literals; 0: there is no such sequence
  std::uint64_t count = 0;   ///< number of its literals, some of which may be missing
};

/// Returns the last cut in `bytes`, which start with a sequence and end anywhere. Complexity: O(sequences).
lz4_cut find_last_lz4_cut(std::span<const std::byte> bytes) noexcept;

}  // namespace tgmap::codec
