// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <tgmap/metadata.hpp>
#include <vector>

#include "picture/axes.hpp"

namespace tgmap::picture {

/// Returns the numbers of the key named like latitudes or longitudes (latitudes, latitude, lats, lat; longitudes,
/// longitude, lons, lon) that has a list of `length` numbers, at the top or in `grid`, `geometry` or `geography`.
/// Returns an empty list if there is none.
std::vector<double> find_list(const metadata&, axis_kind, std::uint64_t length);

}  // namespace tgmap::picture
