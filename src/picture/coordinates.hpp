// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tgmap/message.hpp>
#include <tgmap/object.hpp>
#include <vector>

#include "picture/axes.hpp"
#include "picture/slice.hpp"

namespace tgmap::picture {

/// An axis for each dimension that the slice draws, which are one or two.
///
/// Values are those of other objects of the message that have one dimension of the same length and whose `name` is a
/// coordinate's, in any case: lat, latitude, lon, longitude, x, y, time, level, pressure, height, depth, frequency,
/// step, and plurals. Latitudes and y go to the first dimension where both fit, longitudes and x to the last. Else
/// `mars.area` (north, west, south, east) gives a map its degrees. What has none of these has indexes. The first 10,000
/// objects of the message are looked at, dimensions of more than 16 Mi elements have indexes alone, and an object that
/// cannot be read gives no coordinates.
std::vector<axis> axes_of(const message&, const object&, const slice&);

}  // namespace tgmap::picture
