// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "picture/colour_map.hpp"

namespace tgmap_test {

/// The pixels of a PNG file.
struct decoded_image {
  std::size_t width = 0, height = 0;
  std::vector<tgmap::picture::colour> pixels;

  tgmap::picture::colour at(std::size_t x, std::size_t y) const { return pixels.at(y * width + x); }
};

/// Decodes a PNG file with cairo. Returns nothing in a build without cairo.
std::optional<decoded_image> read_png(std::string_view png);

/// Returns true if images can be drawn. Otherwise prints "SKIPPED: what (…)".
bool can_draw(std::string_view what);

}  // namespace tgmap_test
