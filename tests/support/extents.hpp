// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace tgmap_test {

/// Shapes or strides.
using extents = std::vector<std::uint64_t>;

inline std::uint64_t product(const extents& shape) {
  std::uint64_t n = 1;
  for (const auto e : shape) n *= e;
  return n;
}

/// Returns the offset, in elements, of the `k`th index of a shape in C order.
template <class Strides>
std::uint64_t place_of(std::uint64_t k, const extents& shape, const Strides& strides) {
  std::uint64_t place = 0;
  for (std::size_t d = shape.size(); d-- > 0;) {
    place += k % shape[d] * static_cast<std::uint64_t>(strides[d]);
    k /= shape[d];
  }
  return place;
}

}  // namespace tgmap_test
