// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "picture/cells.hpp"
#include "picture/image_frame.hpp"

namespace tgmap::picture {

/// A map of colours as an image, with axes, a colour bar and a title. Missing cells are hatched.
class map_image {
 public:
  /// Plans the image: how many cells it can have is known before a number is read.
  map_image(axis rows, axis columns, std::optional<image_size>);

  std::size_t rows() const noexcept { return static_cast<std::size_t>(layout_.plot.height); }    ///< cells, at most
  std::size_t columns() const noexcept { return static_cast<std::size_t>(layout_.plot.width); }  ///< cells, at most

  /// The bytes of a PNG file. `colours` when there is a finite number. Throws no_canvas, std::bad_alloc.
  std::string draw(const map_cells&, const std::optional<scale>& colours, const colour_map&,
                   const picture_words&) const;

 private:
  void draw_legend(canvas&, const std::optional<scale>&, const colour_map&, const std::string& unit,
                   bool missing) const;

  axis vertical_, horizontal_;
  image_layout layout_;
};

inline constexpr colour missing_ground{226, 226, 226}, missing_lines{168, 168, 168};

}  // namespace tgmap::picture
