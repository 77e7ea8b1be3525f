// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tgmap/message.hpp>
#include <tgmap/object.hpp>
#include <vector>

#include "picture/axes.hpp"
#include "picture/slice.hpp"

namespace tgmap::picture {

/// Returns an axis for each of the one or two dimensions that the slice draws.
///
/// Coordinates come from other objects of the message: one-dimensional, of the length of the dimension, with a known
/// `name` in upper or lower case (lat, latitude, lon, longitude, x, y, time, level, pressure, height, depth, frequency,
/// step, and their plurals). If both dimensions fit, latitudes and y go to the first one, longitudes and x to the last.
/// Otherwise `mars.area` (north, west, south, east) gives a map its degrees. A dimension without coordinates counts
/// elements.
///
/// Only the first 10,000 objects are examined, and no dimension of more than 16 Mi elements gets coordinates. An object
/// that cannot be read is skipped.
std::vector<axis> find_axes(const message&, const object&, const slice&);

}  // namespace tgmap::picture
