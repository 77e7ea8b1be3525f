// SPDX-License-Identifier: Apache-2.0
// Everything around a plot in an image: title, axes, labels.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "picture/axes.hpp"
#include "picture/image/canvas.hpp"

namespace tgmap::picture {

struct image_size {
  std::size_t width = 0, height = 0;
};

/// The margins around a plot, in pixels of an image of default size.
struct margins {
  double left, top, right, bottom;
};

/// An `image_layout` is the position of a plot in its image. Text and lines grow with the image.
struct image_layout {
  image_size image;
  double unit = 1;  ///< pixels for one pixel of an image of default size
  box plot_area;
};

/// Returns the layout for a plot of a shape (height / width), in an image of the wanted size or of the default size for
/// that shape. The plot keeps its shape unless it would be too thin to see. Without a shape it takes all room.
image_layout make_layout(std::optional<image_size> wanted, std::optional<double> shape, const margins&);

/// Return the number of labels that fit beside and below the plot.
std::size_t max_labels_left(const image_layout&) noexcept;
std::size_t max_labels_below(const image_layout&) noexcept;

/// An `image_frame` draws the title, the axes and the outline of a plot.
class image_frame {
 public:
  image_frame(canvas& on, const image_layout& layout) : canvas_(on), layout_(layout) {}

  void draw_title(const caption&);
  /// Draw an axis with its ticks and its name. Labels that would touch others are left out.
  void draw_axis_below(const std::vector<tick>&, std::string_view name);
  void draw_axis_left(const std::vector<tick>&, std::string_view name);
  void draw_outline();

  text_style label_style() const noexcept { return {.size = 13 * layout_.unit}; }

 private:
  std::string shorten(const std::string&, const text_style&, double max_width) const;

  canvas& canvas_;
  const image_layout& layout_;
};

inline constexpr colour frame_colour{90, 90, 90};
inline constexpr colour missing_background{226, 226, 226}, missing_hatching{168, 168, 168};

}  // namespace tgmap::picture
