// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <tgmap/message.hpp>
#include <tgmap/object.hpp>
#include <tgmap/tools/grid.hpp>
#include <vector>

#include "grid/slice.hpp"
#include "picture/axes.hpp"

namespace tgmap::picture {

/// The axes of a picture, and why rows or columns have no degrees although the metadata describes a grid.
struct drawn_axes {
  std::vector<axis> axes{};
  grid_obstacle why_no_degrees{};  ///< empty if neither rows nor columns lack degrees
};

/// Returns the axes of the one or two dimensions that a slice draws, with the coordinates of tgmap::grid.
/// Errors: those of tgmap::grid.
drawn_axes find_axes(const message&, const object&, const grids::slice&,
                     std::span<const grid_provider* const> providers = {});

}  // namespace tgmap::picture
