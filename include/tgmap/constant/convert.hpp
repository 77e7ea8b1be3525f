// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tgmap/constant/read.hpp>

namespace tgmap {
inline namespace v0 {
namespace constant {

/// The same constant with cells of another type, by the rules by which text is read: float is rounded to the nearest,
/// of bfloat16 bits are dropped, of int8 fractions; of the options `nearest` and `whole` count. Labels and table are
/// shared, and so is all of it where the cells are of that type already. O(cells). Errors: unknown_cell_type,
/// scalar_cell_type; out_of_cell_range (found = number of the cell); tgmap::errc::out_of_memory.
TGMAP_API tensor_constant convert(const tensor_constant&, dtype cells, const read_options& = {});
TGMAP_API tensor_constant convert(const tensor_constant&, dtype cells, const read_options&, failure&) noexcept;
inline tensor_constant convert(const tensor_constant& from, dtype cells, failure& why) noexcept {
  return convert(from, cells, read_options(), why);
}

}  // namespace constant
}  // namespace v0
}  // namespace tgmap
