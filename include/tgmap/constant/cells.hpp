// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// Cells of constants as text, with their addresses.

#include <cstdint>
#include <string>
#include <tgmap/constant/tensor_constant.hpp>
#include <tgmap/write/sink.hpp>

namespace tgmap {
inline namespace v0 {
namespace constant {

/// Returns a value with the fewest digits that identify it as float64, or as float32 for the other types of cells, or
/// NaN, -NaN, Infinity, -Infinity.
/// Errors: throws std::bad_alloc.
TGMAP_API std::string cell_text(double value, dtype cells);

/// Returns true if an address names every mapped dimension of a mixed type and no indexed one. It then stands for a
/// block.
TGMAP_API bool names_block(const tensor_type&, address) noexcept;

/// Returns the value at an address as JSON: the number of a cell, or the cells of a block as nested arrays. Numbers are
/// exact as doubles; NaN and infinities are strings.
/// Errors: those of `tensor_constant::cell`; tgmap::errc::out_of_memory.
/// Complexity: O(cells of the block).
TGMAP_API std::string value_json(const tensor_constant&, address);
TGMAP_API std::string value_json(const tensor_constant&, address, failure&) noexcept;

/// Writes a line for each cell: its address as `key=abc x=2`, a tab, and its value as by `cell_text`. Labels are
/// escaped. The line of a scalar has only the value.
/// Errors: bad_constant; those of the sink; tgmap::errc::out_of_memory.
/// Complexity: O(cells), in pieces of at most 256 KiB.
TGMAP_API void write_cells(const tensor_constant&, sink&);
TGMAP_API void write_cells(const tensor_constant&, sink&, failure&) noexcept;

/// Writes `{"type":...,"cells":[{"address":{"key":"abc","x":2},"value":...}]}` and a line end. The text is ASCII,
/// values are as those of `value_json`, and labels of indexed dimensions are numbers. `write_json` writes the forms
/// that readers of constants accept.
/// Errors, complexity: as for `write_cells`.
TGMAP_API void write_cells_json(const tensor_constant&, sink&);
TGMAP_API void write_cells_json(const tensor_constant&, sink&, failure&) noexcept;

}  // namespace constant
}  // namespace v0
}  // namespace tgmap
