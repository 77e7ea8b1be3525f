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
  }
  std::array<std::uint64_t, max_rank> sizes{};
  std::size_t rank = 0;
};

/// Reads plain numbers of a row into `to` until there are `max` of them, or another token comes. The current token is
/// then a value after a comma, or the closing bracket. `has_comma` tells whether the last number had a comma. Returns
/// the number of cells.
template <class Cell>
std::uint64_t read_plain_numbers(token_source& tokens, Cell* to, std::uint64_t max, const cell_rules& rules,
                                 bool& has_comma) {
  token_source::cursor in = tokens.position();
  std::uint64_t done = 0;
  has_comma = true;
  while (done < max) {
    double value;
    const char* end = parse_plain_number(in.window + in.index[in.at], value);
    if (end == nullptr || !store_cell(value, to[done], rules)) break;
    if (*end != ',') {
      const char* next = in.window + in.index[in.at + 1];
      if (*next == ']') {
        ++done;
        ++in.at;
        has_comma = false;
        break;
      }
      if (*next != ',') break;
    }
    ++done;
    in.at += 2;
    if (in.at >= in.count) {
      tokens.set_position(in);
      in = tokens.position();
    }
  }
  tokens.set_position(in);
  return done;
}

/// Reads the current value as the cells of a block: nested arrays, or in extended documents also a flat array or
/// hexadecimal digits. Empty `cells` only checks the value.
read_status read_dense(parser&, dtype, const block_shape&, std::span<std::byte> cells);

/// Reads a large nested array on all threads of the executor. Returns false if it did nothing; the caller then uses
/// `read_dense`, which also finds all errors.
bool read_dense_parallel(parser&, dtype, const block_shape&, std::span<std::byte> cells);

/// Returns true if the rest of the text is long enough for so many values.
inline bool can_contain(const token_source& tokens, std::uint64_t values) noexcept {
  return values <= (tokens.text().size - tokens.offset()) / 2;
}

}  // namespace constant::json
}  // namespace v0
}  // namespace tgmap
