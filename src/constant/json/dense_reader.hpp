// SPDX-License-Identifier: Apache-2.0
// Readers of dense cells.
#pragma once

#include <array>
#include <span>
#include <tgmap/options.hpp>

#include "constant/json/parser.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant::json {

/// A `block_shape` is the sizes of the indexed dimensions of a type.
struct block_shape {
  explicit block_shape(const tensor_type& type) noexcept {
    for (const dimension& one : type.dimensions())
      if (!one.is_mapped()) sizes[rank++] = one.size;
    std::uint64_t product = 1;
    for (std::size_t d = rank; d-- > 0;) array_cells[d] = product *= sizes[d];
  }
  /// Makes the shape of one array with all cells.
  explicit block_shape(std::uint64_t cells) noexcept : rank(1) { sizes[0] = array_cells[0] = cells; }

  std::array<std::uint64_t, max_rank> sizes{};
  std::array<std::uint64_t, max_rank> array_cells{};  // number of cells of an array of each level
  std::size_t rank = 0;
};

/// Reads the current value as the cells of a block: nested arrays, or in extended documents also a flat array or
/// hexadecimal digits. Empty `cells` only checks the value. Large arrays are read on all `threads`, if given.
read_status read_dense(parser&, const tensor_type&, const block_shape&, std::span<std::byte> cells,
                       executor* threads = nullptr);

/// Returns true if the rest of the text is long enough for so many values.
inline bool can_contain(const token_source& tokens, std::uint64_t values) noexcept {
  return values <= (tokens.text().size - tokens.offset()) / 2;
}

}  // namespace constant::json
}  // namespace v0
}  // namespace tgmap
