// SPDX-License-Identifier: Apache-2.0
// Dense cells as arrays in arrays, one level for each indexed dimension.
#pragma once

#include <array>
#include <span>
#include <tgmap/options.hpp>

#include "constant/json/parser.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant {
namespace json {

/// The sizes of a type's indexed dimensions.
struct block_shape {
  explicit block_shape(const tensor_type& type) noexcept {
    for (const dimension& one : type.dimensions())
      if (!one.is_mapped()) sizes[rank++] = one.size;
  }
  std::array<std::uint64_t, max_rank> sizes{};
  std::size_t rank = 0;
};

/// Plain numbers, from the token on, into `to`, until there are `most`, or something else comes. The token is then a
/// value behind a comma, or the bracket that closes. Returns how many; `more`: a comma came last.
template <class Cell>
std::uint64_t plain_row(token_source& at, Cell* to, std::uint64_t most, const cell_rules& rules, bool& more) {
  token_source::cursor in = at.place();
  std::uint64_t done = 0;
  more = true;
  while (done < most) {
    double value;
    const char* end = plain_number(in.window + in.index[in.at], value);
    if (end == nullptr || !put_cell(value, to[done], rules)) break;
    if (*end != ',') {
      const char* behind = in.window + in.index[in.at + 1];
      if (*behind == ',') {
        end = behind;
      } else if (*behind == ']') {
        ++done;
        ++in.at;
        more = false;
        break;
      } else {
        break;
      }
    }
    ++done;
    in.at += 2;
    if (in.at >= in.count) {
      at.place(in);
      in = at.place();
    }
  }
  at.place(in);
  return done;
}

/// Reads the array here into `cells`, in C order; nowhere where that is empty. Where it is told that there are not as
/// many as must be, reading went on behind it.
outcome read_nested(parser&, dtype, const block_shape&, std::span<std::byte> cells);

/// The same without brackets between: as many values as the shape has cells.
outcome read_flat(parser&, dtype, const block_shape&, std::span<std::byte> cells);

/// Hexadecimal digits, in the string here: 2, 4, 8 or 16 a cell.
outcome read_hex(parser&, dtype, std::uint64_t count, std::span<std::byte> cells);

/// Whichever of these the value here is, as far as they are legal.
outcome read_dense(parser&, dtype, const block_shape&, std::span<std::byte> cells);

/// Large dense values on all threads. False: nothing has been read, and it has to be done one by one; that decides on
/// all errors.
bool read_on_threads(parser&, dtype, const block_shape&, std::span<std::byte> cells);

/// Whether the text behind here can hold so many values.
inline bool may_hold(const token_source& at, std::uint64_t values) noexcept {
  return values <= (at.text().size - at.offset()) / 2;
}

}  // namespace json
}  // namespace constant
}  // namespace v0
}  // namespace tgmap
