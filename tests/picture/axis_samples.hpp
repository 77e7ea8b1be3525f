// SPDX-License-Identifier: Apache-2.0
// Axes for pictures in tests.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "grid/coordinates.hpp"
#include "picture/axes.hpp"

namespace tgmap_test {

/// Returns an axis with these coordinates, or one that counts elements if they neither rise nor fall strictly.
inline tgmap::picture::axis make_axis(tgmap::coordinate_kind kind, std::string name, std::uint64_t first,
                                      std::vector<double> values, std::uint64_t step = 1) {
  const std::uint64_t size = values.size();
  auto found = tgmap::grids::make_axis(kind, std::move(name), std::move(values));
  return {.kind = found.kind,
          .name = std::move(found.name),
          .first = first,
          .size = size,
          .step = step,
          .values = std::move(found.values)};
}

inline tgmap::picture::axis make_index_axis(std::uint64_t first, std::uint64_t size, std::uint64_t step = 1) {
  return {.first = first, .size = size, .step = step};
}

}  // namespace tgmap_test
