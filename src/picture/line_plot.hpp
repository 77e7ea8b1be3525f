// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "picture/axes.hpp"
#include "picture/cells.hpp"
#include "picture/frame.hpp"
#include "picture/scale.hpp"
#include "picture/words.hpp"

namespace tgmap::picture {

/// A line over an axis, made of braille patterns (2 × 4 dots a character) or, without Unicode, of asterisks. Where
/// several elements share a column of dots, it runs from the least to the greatest of them. Missing elements are gaps.
class line_plot {
 public:
  line_plot(axis along, const terminal_style&);

  std::size_t columns() const noexcept { return width_ * dots_across_; }  ///< of dots: cells, at most

  std::string draw(const line_cells&, const scale&, const picture_words&) const;

 private:
  axis along_;
  terminal_style style_;
  std::size_t width_ = 1, height_ = 1;  // characters
  std::size_t dots_across_ = 1, dots_down_ = 1;
};

}  // namespace tgmap::picture
