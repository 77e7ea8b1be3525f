// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <tgmap/tools/grid.hpp>

namespace tgmap::cli {

/// Returns why an object of this shape has no degrees, not escaped: "mars.grid is O1280". Empty if nothing is in the
/// way.
std::string text_of(const grid_obstacle&, std::span<const std::uint64_t> shape);

}  // namespace tgmap::cli
