// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "picture/scale.hpp"

namespace tgmap::picture {

enum class axis_kind : std::uint8_t { index, number, latitude, longitude };

/// One dimension of a picture: what its elements are called.
struct axis {
  axis_kind kind = axis_kind::index;
  std::string name{};            ///< "latitude"; empty for an index
  std::uint64_t first = 0;       ///< index of the first element drawn
  std::uint64_t size = 0;        ///< elements drawn
  std::vector<double> values{};  ///< one for each element drawn, rising or falling; none for an index

  /// Drawn from the last element to the first: north is up and east is right, whatever the order in the file.
  bool turned() const noexcept;
};

/// An axis of these values, or of indexes where they neither rise nor fall all along. Longitudes may step over 360 or
/// 180 once.
axis axis_of(axis_kind, std::string name, std::uint64_t first, std::vector<double> values);
axis index_axis(std::uint64_t first, std::uint64_t size);

/// How an axis is labelled: degrees as "30°N" or, without Unicode, "30N".
/// Places run from 0 to 1 as things are drawn: from the left, from the top.
std::vector<mark> marks_of(const axis&, std::size_t most, bool unicode);

}  // namespace tgmap::picture
