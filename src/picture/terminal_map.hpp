// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "picture/axes.hpp"
#include "picture/cells.hpp"
#include "picture/colour_map.hpp"
#include "picture/frame.hpp"
#include "picture/scale.hpp"
#include "picture/words.hpp"

namespace tgmap::picture {

/// A map of colours made of characters: two cells in each by half blocks where colours and Unicode can be shown, else
/// one cell a character, as a colour or as one of a ramp of characters. Cells are about square on the screen.
/// Missing cells are a checkerboard of grays, or '?'.
class terminal_map {
 public:
  /// Plans the picture: how many cells it can have is known before a number is read.
  terminal_map(axis rows, axis columns, const terminal_style&);

  std::size_t rows() const noexcept { return rows_; }        ///< cells, at most
  std::size_t columns() const noexcept { return columns_; }  ///< cells, at most

  /// The picture and its legend. `colours` when there is a finite number.
  std::string draw(const map_cells&, const std::optional<scale>& colours, const colour_map&,
                   const picture_words&) const;

 private:
  class painter;

  axis vertical_, horizontal_;
  terminal_style style_;
  std::vector<mark> vertical_marks_, horizontal_marks_;
  std::size_t rows_ = 1, columns_ = 1;
  std::size_t cells_a_line_ = 1;  // 2: half blocks
};

}  // namespace tgmap::picture
