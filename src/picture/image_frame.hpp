// SPDX-License-Identifier: Apache-2.0
// What surrounds a picture on a canvas: title, axes, labels.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "picture/axes.hpp"
#include "picture/canvas.hpp"
#include "picture/words.hpp"

namespace tgmap::picture {

struct image_size {
  std::size_t width = 0, height = 0;
};

/// The room around a plot, in pixels of an image of usual size.
struct margins {
  double left, top, right, bottom;
};

/// A plot in its image. Everything grows with the image, so that a large one is as legible as a small one.
struct image_layout {
  image_size image;
  double unit = 1;  ///< pixels of this image for one of an image of usual size
  box plot;
};

/// The usual size for a plot of that shape (height over width), or the size wanted; the plot keeps its shape unless
/// that made it too thin to see. Nothing for the shape: the plot takes all room.
image_layout lay_out(std::optional<image_size> wanted, std::optional<double> shape, const margins&);

class image_frame {
 public:
  image_frame(canvas& on, const image_layout& by) : on_(on), by_(by) {}

  void words(const picture_words&);
  /// Marks, labels and the axis' name. Labels that would touch others are left out.
  void below(const std::vector<mark>&, std::string_view name);
  void left(const std::vector<mark>&, std::string_view name);
  void outline();

  text_style label_style() const noexcept { return {.size = 13 * by_.unit}; }

 private:
  std::string fitted(const std::string&, const text_style&, double room) const;

  canvas& on_;
  const image_layout& by_;
};

/// How many labels fit beside and below the plot.
std::size_t labels_left(const image_layout&) noexcept;
std::size_t labels_below(const image_layout&) noexcept;

inline constexpr colour frame_ink{90, 90, 90};

}  // namespace tgmap::picture
