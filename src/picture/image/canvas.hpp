// SPDX-License-Identifier: Apache-2.0
// Drawing in pixels. Compiled from canvas_cairo.cpp, or from canvas_unavailable.cpp in a build without cairo.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "picture/colour_map.hpp"

namespace tgmap::picture {

/// A `canvas_error` is thrown if no image can be drawn.
class canvas_error : public std::runtime_error {
 public:
  canvas_error(const std::string& text, std::string next_step)
      : std::runtime_error(text), next_step_(std::move(next_step)) {}
  const std::string& next_step() const noexcept { return next_step_; }

 private:
  std::string next_step_;
};

/// A `pixel` is a colour and its opacity.
struct pixel {
  colour rgb{};
  std::uint8_t opacity = 0;
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
  colour rgb{40, 40, 40};
};

enum class align : std::uint8_t { left, middle, right };

/// A `canvas` is a white sheet of pixels. The origin is the top left corner.
/// Errors: canvas_error, std::bad_alloc.
class canvas {
 public:
  canvas(std::size_t width, std::size_t height);
  ~canvas();
  canvas(const canvas&) = delete;
  canvas& operator=(const canvas&) = delete;

  void fill(box, colour);
  void outline(box, colour, double width);
  void line(point, point, colour, double width);
  void path(std::span<const point>, colour, double width);
  void area(std::span<const point>, colour, double opacity);
  /// Draws pixels in C order, scaled to the box without smoothing.
  void image(box, std::span<const pixel>, std::size_t columns);

  double width_of(std::string_view, const text_style&) const;
  /// Draws a text that begins, has its middle or ends at `at`, at half the height of its capitals.
  void text(point at, std::string_view, const text_style&, align = align::left);
  /// The same, read upwards.
  void text_upwards(point at, std::string_view, const text_style&, align = align::middle);

  /// Returns the bytes of a PNG file.
  std::string png() const;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

/// Returns the version of the drawing library; empty if there is none.
std::string canvas_version();

}  // namespace tgmap::picture
