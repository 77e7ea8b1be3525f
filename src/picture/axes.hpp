// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "picture/scale.hpp"

namespace tgmap::picture {

enum class axis_kind : std::uint8_t { index, number, latitude, longitude };

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

/// Returns an axis with these coordinates, or an index axis if they neither rise nor fall strictly. Longitudes may wrap
/// around at 180 or 360 degrees.
axis make_axis(axis_kind, std::string name, std::uint64_t first, std::vector<double> values, std::uint64_t step = 1);
/// Returns an axis that counts elements.
axis make_index_axis(std::uint64_t first, std::uint64_t size, std::uint64_t step = 1);

/// Returns at most `max_count` round ticks. Positions run from 0 to 1, from the left or from the top. Degrees read
/// "30°N", or "30N" without Unicode.
std::vector<tick> make_ticks(const axis&, std::size_t max_count, bool unicode);

}  // namespace tgmap::picture
