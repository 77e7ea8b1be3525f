// SPDX-License-Identifier: Apache-2.0
// Drawing with pixels, without showing whose. canvas_cairo.cpp or canvas_absent.cpp is compiled.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "picture/colour_map.hpp"
#include "picture/stretch.hpp"

namespace tgmap::picture {

/// There is nothing to draw with.
class no_canvas : public std::runtime_error {
 public:
  no_canvas(const std::string& text, std::string next_step)
      : std::runtime_error(text), next_step_(std::move(next_step)) {}
  const std::string& next_step() const noexcept { return next_step_; }

 private:
  std::string next_step_;
};

struct point {
  double x = 0, y = 0;
};

struct box {
  double x = 0, y = 0, width = 0, height = 0;
  double right() const noexcept { return x + width; }
  double bottom() const noexcept { return y + height; }
};

struct text_style {
  double size = 14;
  bool bold = false;
  colour ink{40, 40, 40};
};

enum class align : std::uint8_t { left, middle, right };

/// A white sheet of pixels, from the top left corner. Throws no_canvas, std::bad_alloc.
class canvas {
 public:
  canvas(std::size_t width, std::size_t height);
  ~canvas();
  canvas(const canvas&) = delete;
  canvas& operator=(const canvas&) = delete;

  void fill(box, colour);
  void outline(box, colour, double width);
  void hatch(box, colour ground, colour lines);  ///< diagonal lines
  void line(point, point, colour, double width);
  void path(std::span<const point>, colour, double width);
  void area(std::span<const point>, colour, double opacity);
  /// Pixels in C order, stretched over the box without smoothing.
  void image(box, std::span<const pixel>, std::size_t columns);

  double width_of(std::string_view, const text_style&) const;
  /// `at` is where the text begins, has its middle or ends, at half the height of its capitals.
  void text(point at, std::string_view, const text_style&, align = align::left);
  /// The same, read upwards.
  void text_upwards(point at, std::string_view, const text_style&, align = align::middle);

  std::string png() const;  ///< the bytes of a file

 private:
  struct state;
  std::unique_ptr<state> state_;
};

/// Of the library that draws, where it is found; else empty.
std::string canvas_version();

}  // namespace tgmap::picture
