// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "picture/axes.hpp"
#include "picture/cells.hpp"
#include "picture/colour_map.hpp"
#include "picture/scale.hpp"
#include "picture/terminal/terminal.hpp"

namespace tgmap::picture {

/// A `terminal_map` draws a map with characters.
///
/// With colours and Unicode a character shows two cells as half blocks. Otherwise it shows one cell, as a colour or as
/// a character from light to dark. Cells are roughly square on the screen. Missing cells are a checkerboard of grays,
/// or question marks.
class terminal_map {
 public:
  terminal_map(axis rows, axis columns, const terminal_style&);

  /// Return the maximum number of cells.
  std::size_t rows() const noexcept { return rows_; }
  std::size_t columns() const noexcept { return columns_; }

  /// Returns the picture and its legend. `values` is empty if no element is finite.
  std::string draw(const cell_map&, const std::optional<scale>& values, const colour_map&, const caption&) const;

 private:
  class painter;

  axis vertical_, horizontal_;
  terminal_style style_;
  std::vector<tick> vertical_ticks_, horizontal_ticks_;
  std::size_t rows_ = 1, columns_ = 1;
  std::size_t cells_per_line_ = 1;  // 2: half blocks
};

}  // namespace tgmap::picture
