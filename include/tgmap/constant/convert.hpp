// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tgmap/constant/read.hpp>

namespace tgmap {
inline namespace v0 {
namespace constant {

/// Returns the constant with cells of another type.
///
/// The rules are those for reading text: float is rounded to the nearest value, bfloat16 drops bits, int8 drops
/// fractions. Only the options `round_to_nearest` and `reject_fractions` count. Labels and table are shared. If the
/// cells have that type already, everything is shared.
/// Errors: unknown_cell_type, scalar_cell_type; out_of_cell_range (`found` is the index of the cell);
/// tgmap::errc::out_of_memory.
/// Complexity: O(cells).
TGMAP_API tensor_constant convert(const tensor_constant&, dtype cells, const read_options& = {});
TGMAP_API tensor_constant convert(const tensor_constant&, dtype cells, const read_options&, failure&) noexcept;
inline tensor_constant convert(const tensor_constant& from, dtype cells, failure& why) noexcept {
  return convert(from, cells, read_options(), why);
}

}  // namespace constant
}  // namespace v0
}  // namespace tgmap
