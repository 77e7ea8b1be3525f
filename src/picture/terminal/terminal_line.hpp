// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "picture/axes.hpp"
#include "picture/cells.hpp"
#include "picture/scale.hpp"
#include "picture/terminal/terminal.hpp"

namespace tgmap::picture {

/// A `terminal_line` draws a line over an axis with braille patterns (2 × 4 dots a character) or, without Unicode, with
/// asterisks. If several elements share a column of dots, the line covers their range. Missing elements are gaps.
class terminal_line {
 public:
  terminal_line(axis, const terminal_style&);

  /// Returns the maximum number of cells: the columns of dots.
  std::size_t columns() const noexcept { return width_ * dots_across_; }

  std::string draw(const line_cells&, const scale&, const caption&) const;

 private:
  axis axis_;
  terminal_style style_;
  std::size_t width_ = 1, height_ = 1;  // in characters
  std::size_t dots_across_ = 1, dots_down_ = 1;
};

}  // namespace tgmap::picture
