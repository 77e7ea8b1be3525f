// SPDX-License-Identifier: Apache-2.0
// What surrounds a picture in a terminal: axes with their labels.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "picture/scale.hpp"
#include "picture/terminal.hpp"

namespace tgmap::picture {

/// How a picture is written: how many characters it may take, and which.
struct terminal_style {
  colour_depth colours = colour_depth::none;
  bool unicode = true;
  std::size_t columns = 80, rows = 20;  ///< for the picture with axes and legend
};

/// Columns that a text of ours takes: its characters.
std::size_t width_of(std::string_view) noexcept;

/// The widest label.
std::size_t width_of(const std::vector<mark>&) noexcept;

/// Lines of a picture, each `width` columns wide, between a vertical axis on the left and a horizontal one below.
/// Labels that would touch others are left out.
std::string framed(const std::vector<std::string>& lines, std::size_t width, const std::vector<mark>& vertical,
                   const std::vector<mark>& horizontal, bool unicode);

/// What `framed` adds on the left for these labels.
std::size_t frame_width(const std::vector<mark>& vertical) noexcept;

inline constexpr std::size_t frame_height = 2;  ///< what it adds below

}  // namespace tgmap::picture
