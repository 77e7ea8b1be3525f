// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "picture/cells.hpp"
#include "picture/image/image_frame.hpp"

namespace tgmap::picture {

/// The reason why a cell of an image has no colour of the scale.
enum class gap_kind : std::uint8_t {
  missing,    ///< only NaN
  infinite,   ///< no finite element, and infinite ones
  not_drawn,  ///< finite, but without a place on a logarithmic scale
};

/// The pattern of a kind of gap: stripes on a background, which no colour map has.
struct gap_pattern {
  std::string_view word;  ///< in the legend
  colour background, lines;
  bool leans_right;

  /// Returns the colour at a pixel. `width` is that of a stripe and the space to the next one.
  colour at(std::size_t x, std::size_t y, std::size_t width) const noexcept;
};

const gap_pattern& pattern_of(gap_kind) noexcept;

/// Returns the kind of gap that a cell is; nothing if its mean has a place on the scale.
std::optional<gap_kind> find_gap(cell_content, double mean, const std::optional<scale>&) noexcept;

/// An `image_gaps` is the kinds of gaps of one image: draws their patterns and their legend.
class image_gaps {
 public:
  explicit image_gaps(const image_layout& layout) : layout_(layout) {}

  void add(gap_kind kind) noexcept { seen_[static_cast<std::size_t>(kind)] = true; }
  std::vector<gap_kind> kinds() const;  ///< those added, in order of the enumeration

  void fill(canvas&, box, gap_kind) const;
  /// Returns the colour of a pixel of the plot.
  pixel at(std::size_t x, std::size_t y, gap_kind) const noexcept;

  /// Draw a sample and the word of each kind: one below the other from a point, or in one line that ends there.
  void draw_legend_below(canvas&, point) const;
  void draw_legend_before(canvas&, point) const;

 private:
  box draw_sample(canvas&, point, gap_kind) const;
  std::size_t stripe() const noexcept;

  const image_layout& layout_;
  std::array<bool, 3> seen_{};
};

}  // namespace tgmap::picture
