// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "picture/colour_map.hpp"

namespace tgmap::picture {

/// A pixel of an image: a colour, and how much of what lies behind is hidden by it.
struct pixel {
  colour ink{};
  std::uint8_t opacity = 0;
};

/// Pixels in C order, brought to `rows` × `columns`, no fewer than there are. Each one becomes a rectangle with sharp
/// sides; only pixels that two of them share are mixed, so that all rectangles look equally large.
std::vector<pixel> stretched(const std::vector<pixel>&, std::size_t from_columns, std::size_t rows,
                             std::size_t columns);

}  // namespace tgmap::picture
