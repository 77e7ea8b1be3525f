// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "picture/cells.hpp"
#include "picture/image_frame.hpp"

namespace tgmap::picture {

/// A line over an axis as an image. Where several elements share a column of pixels, their range is shaded around the
/// line of their means. Missing elements are hatched.
class plot_image {
 public:
  plot_image(axis along, std::optional<image_size>);

  std::size_t columns() const noexcept { return static_cast<std::size_t>(layout_.plot.width); }  ///< cells, at most

  /// The bytes of a PNG file. Throws no_canvas, std::bad_alloc.
  std::string draw(const line_cells&, const scale&, const picture_words&) const;

 private:
  void draw_missing(canvas&, std::span<const line_cells::column>, const scale&) const;
  void draw_line(canvas&, const line_cells&, const scale&) const;
  double x_of(std::size_t column, std::size_t columns) const;
  double y_of(double number, const scale&) const;

  axis along_;
  image_layout layout_;
};

}  // namespace tgmap::picture
