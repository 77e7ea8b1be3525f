// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <tgmap/metadata.hpp>
#include <tgmap/tools/grid.hpp>
#include <vector>

namespace tgmap::grids {

/// A list of numbers in metadata.
struct found_list {
  std::string key{};
  std::vector<double> numbers{};  ///< empty if there is none
};

/// Returns the list of the key named like latitudes or longitudes (latitudes, latitude, lats, lat; longitudes,
/// longitude, lons, lon) that has `length` numbers, at the top or in `grid`, `geometry` or `geography`.
found_list find_list(const metadata&, coordinate_kind, std::uint64_t length);

}  // namespace tgmap::grids
