// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "picture/cells.hpp"
#include "picture/image/image_frame.hpp"
#include "picture/image/image_gaps.hpp"

namespace tgmap::picture {

/// An `image_map` draws a map of colours as an image, with axes, a colour bar and a title. Cells without a
/// colour are striped, and the legend says why.
class image_map {
 public:
  image_map(axis rows, axis columns, std::optional<image_size>);

  /// Return the maximum number of cells: the pixels of the plot.
  std::size_t rows() const noexcept { return static_cast<std::size_t>(layout_.plot_area.height); }
  std::size_t columns() const noexcept { return static_cast<std::size_t>(layout_.plot_area.width); }

  /// Returns the bytes of a PNG file. `values` is empty if no element is finite.
  /// Errors: canvas_error, std::bad_alloc.
  std::string draw(const cell_map&, const std::optional<scale>& values, const colour_map&, const caption&) const;

 private:
  void draw_legend(canvas&, const std::optional<scale>&, const colour_map&, const std::string& unit,
                   const image_gaps&) const;

  axis vertical_, horizontal_;
  image_layout layout_;
};

/// Enlarges pixels in C order to `rows` × `columns`, no fewer than there are. Each one becomes a rectangle with sharp
/// sides. Only a pixel that two rectangles share is mixed, so that all rectangles look equally large.
std::vector<pixel> enlarge(const std::vector<pixel>&, std::size_t from_columns, std::size_t rows, std::size_t columns);

}  // namespace tgmap::picture
