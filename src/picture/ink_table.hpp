// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "picture/colour_map.hpp"
#include "picture/terminal.hpp"

namespace tgmap::picture {

/// What a cell of a map looks like: a number of the colour map, or one of two grays that mark what is missing.
using ink = std::uint16_t;
inline constexpr ink missing_dark = colour_map::size, missing_light = missing_dark + 1;

/// The sequences of a terminal for each ink, made once.
class ink_table {
 public:
  ink_table(const colour_map& map, colour_depth depth) {
    for (std::size_t i = 0; i < text_.size(); ++i) {
      const colour c = i == missing_dark ? colour{88, 88, 88} : i == missing_light ? colour{136, 136, 136} : map.at(i);
      text_[i] = colour_sequence(c, depth, true);
      back_[i] = colour_sequence(c, depth, false);
    }
  }
  const std::string& text(ink i) const noexcept { return text_[i]; }
  const std::string& back(ink i) const noexcept { return back_[i]; }

 private:
  std::array<std::string, colour_map::size + 2> text_, back_;
};

}  // namespace tgmap::picture
