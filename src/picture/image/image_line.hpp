// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "picture/cells.hpp"
#include "picture/image/image_frame.hpp"
#include "picture/image/image_gaps.hpp"

namespace tgmap::picture {

/// An `image_line` draws a line over an axis as an image. If several elements share a column of pixels, their range is
/// shaded around the line of their means. Columns without a place on the axis are striped, and the legend says why.
class image_line {
 public:
  image_line(axis, std::optional<image_size>);

  /// Returns the maximum number of cells: the columns of pixels.
  std::size_t columns() const noexcept { return static_cast<std::size_t>(layout_.plot_area.width); }

  /// Returns the bytes of a PNG file.
  /// Errors: canvas_error, std::bad_alloc.
  std::string draw(const line_cells&, const scale&, const caption&) const;

 private:
  void draw_gaps(canvas&, std::span<const line_cells::column>, const scale&, image_gaps&) const;
  void draw_line(canvas&, const line_cells&, const scale&) const;
  double x_of(std::size_t column, std::size_t columns) const;
  double y_of(double number, const scale&) const;

  axis axis_;
  image_layout layout_;
};

}  // namespace tgmap::picture
