// SPDX-License-Identifier: Apache-2.0
// Capabilities of a terminal, and the axes around a picture in it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "picture/colour_map.hpp"
#include "picture/scale.hpp"

namespace tgmap::picture {

enum class colour_depth : std::uint8_t { none, indexed, truecolour };

/// An `environment` is the environment variables that describe the terminal. Empty means not set.
struct environment {
  std::string term, colorterm;
  std::string locale;  ///< the first of LC_ALL, LC_CTYPE and LANG that is not empty

  static environment current();
};

/// Returns 24 bits if COLORTERM or TERM announces them, otherwise 256 colours; none if `wanted` is false.
colour_depth choose_colour_depth(bool wanted, const environment&);

/// Returns true unless a locale is set that is not UTF-8.
bool supports_unicode(const environment&);

/// Returns the escape sequence that sets the colour of the text (`of_text`) or of the background; empty without
/// colours.
std::string colour_sequence(colour, colour_depth, bool of_text);

inline constexpr const char* reset_sequence = "\x1b[0m";

/// A `terminal_style` is the size of a picture in a terminal and the characters that it may use.
struct terminal_style {
  colour_depth colours = colour_depth::none;
  bool unicode = true;
  std::size_t columns = 80, rows = 20;  ///< with axes and legend
};

/// Returns the number of columns that a text takes: its code points. All our texts have characters of one column.
std::size_t width_of(std::string_view) noexcept;

/// Returns the width of the widest label.
std::size_t width_of(const std::vector<tick>&) noexcept;

/// Puts the lines of a picture, each `width` columns wide, between a vertical axis on the left and a horizontal one
/// below. Labels that would touch others are left out.
std::string draw_frame(const std::vector<std::string>& lines, std::size_t width, const std::vector<tick>& vertical,
                       const std::vector<tick>& horizontal, bool unicode);

/// Returns the number of columns that `draw_frame` adds on the left for these labels.
std::size_t frame_width(const std::vector<tick>& vertical) noexcept;

inline constexpr std::size_t frame_height = 2;  ///< lines that `draw_frame` adds below

}  // namespace tgmap::picture
