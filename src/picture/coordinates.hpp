// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <tgmap/message.hpp>
#include <tgmap/object.hpp>
#include <vector>

#include "picture/axes.hpp"
#include "picture/slice.hpp"

namespace tgmap::picture {

/// Returns an axis for each of these dimensions of an object.
///
/// Coordinates come from other objects of the message: one-dimensional, of the length of the dimension, with a known
/// `name` in upper or lower case (lat, latitude, lon, longitude, x, y, time, level, pressure, height, depth, frequency,
/// step, and their plurals). If several dimensions fit, longitudes and x go to the last one, latitudes and y to the one
/// before. Otherwise `mars.area` (north, west, south, east) gives the last two dimensions their degrees. A dimension
/// without coordinates counts elements.
///
/// Only the first 10,000 objects are examined, and no dimension of more than 16 Mi elements gets coordinates. An object
/// that cannot be read is skipped.
std::vector<axis> find_axes(const message&, const object&, std::span<const slice::extent> dimensions);
/// The same for the one or two dimensions that the slice draws.
std::vector<axis> find_axes(const message&, const object&, const slice&);

/// The objects with the latitude and the longitude of each element of another object.
struct point_coordinates {
  object latitudes, longitudes;
};

/// Returns the objects of the message with the shape of this one that are named like latitudes and longitudes, as
/// messages on unstructured and curvilinear grids have them. Returns nothing if there is none of one kind. Examines as
/// many objects as `find_axes`.
std::optional<point_coordinates> find_points(const message&, const object&);

}  // namespace tgmap::picture
