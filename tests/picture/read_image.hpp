// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "picture/colour_map.hpp"

namespace tgmap_test {

/// The pixels of a PNG file, as cairo reads them.
struct read_image {
  std::size_t width = 0, height = 0;
  std::vector<tgmap::picture::colour> pixels;

  tgmap::picture::colour at(std::size_t x, std::size_t y) const { return pixels.at(y * width + x); }
};

/// Nothing where there is no cairo, said loudly.
std::optional<read_image> image_from(std::string_view png);

/// Whether images can be drawn here; says "SKIPPED: what (…)" when not.
bool can_draw(std::string_view what);

}  // namespace tgmap_test
