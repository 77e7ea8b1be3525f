// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <tgmap/tools/grid.hpp>
#include <vector>

#include "picture/scale.hpp"

namespace tgmap::picture {

using axis_kind = coordinate_kind;

/// An `axis` is one dimension of a picture with the coordinates of its elements.
struct axis {
  axis_kind kind = axis_kind::index;
  std::string name{};            ///< such as "latitude"; empty for an index
  std::uint64_t first = 0;       ///< index of the first element in the picture
  std::uint64_t size = 0;        ///< number of elements in the picture
  std::uint64_t step = 1;        ///< difference between the indices of two elements
  std::vector<double> values{};  ///< coordinates, strictly rising or falling; empty for an index

  /// Returns true if the last element is drawn first, because north is up and east is right.
  bool is_reversed() const noexcept;
};

/// Returns at most `max_count` round ticks. Positions run from 0 to 1, from the left or from the top. Degrees read
/// "30°N", or "30N" without Unicode.
std::vector<tick> make_ticks(const axis&, std::size_t max_count, bool unicode);

}  // namespace tgmap::picture
