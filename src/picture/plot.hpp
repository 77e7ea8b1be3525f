// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "picture/axes.hpp"
#include "picture/colour_map.hpp"
#include "picture/image/image_frame.hpp"
#include "picture/point_map.hpp"
#include "picture/scale.hpp"
#include "picture/terminal/terminal.hpp"

namespace tgmap::picture {

/// A `plot` collects the elements of a field in one pass and then draws them: a line over one axis, a map over two.
///
/// The number of cells is planned from the axes before the first element is read.
class plot {
 public:
  virtual ~plot() = default;

  /// Adds elements in C order. `at` is the index of the first one.
  virtual void add(std::uint64_t at, std::span<const double>, bool all_finite) = 0;

  /// Returns lines of text, or the bytes of a PNG file. `values` is empty if no element is finite; a line is then an
  /// empty text.
  /// Errors: canvas_error, std::bad_alloc (images).
  virtual std::string draw(const std::optional<scale>& values, const colour_map&, const caption&) const = 0;
};

/// Makes a plot of characters over one or two axes.
std::unique_ptr<plot> make_terminal_plot(std::vector<axis>, const terminal_style&);
/// Makes a plot as an image over one or two axes. Without a size, the shape of the field determines it.
std::unique_ptr<plot> make_image_plot(std::vector<axis>, std::optional<image_size>);

/// Make a map of scattered points, whose elements are added in their order.
std::unique_ptr<plot> make_terminal_plot(point_map, const terminal_style&);
std::unique_ptr<plot> make_image_plot(point_map, std::optional<image_size>);

}  // namespace tgmap::picture
