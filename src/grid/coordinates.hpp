// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <tgmap/message.hpp>
#include <tgmap/object.hpp>
#include <vector>

#include "grid/slice.hpp"
#include "picture/axes.hpp"

namespace tgmap::picture {

/// Axes of an object, and why rows or columns have no degrees although the metadata describes a grid.
struct found_axes {
  std::vector<axis> axes{};
  std::string why_no_degrees{};  ///< such as "mars.grid is O1280"; empty if there are degrees, or no grid is described
};

/// Returns an axis for each dimension of an object; `dimensions` has all of them.
///
/// Coordinates come from other objects of the message: one-dimensional, of the length of the dimension, with a known
/// `name` in upper or lower case (lat, latitude, lon, longitude, x, y, time, level, pressure, height, depth, frequency,
/// step, and their plurals). If several dimensions fit, longitudes and x go to the last one, latitudes and y to the one
/// before. Otherwise the last two dimensions get the degrees of lists in the metadata of the object, see find_list(),
/// or of its regular grid, see find_grid(). A dimension without coordinates counts elements.
///
/// Only the first 10,000 objects are examined, and no dimension of more than 16 Mi elements gets coordinates. An object
/// that cannot be read is skipped.
found_axes find_axes(const message&, const object&, std::span<const slice::extent> dimensions);
/// The same for the one or two dimensions that the slice draws. The reason is empty if neither of them lacks degrees.
found_axes find_axes(const message&, const object&, const slice&);

/// The objects with the latitude and the longitude of each element of another object.
struct point_coordinates {
  object latitudes, longitudes;
};

/// Returns the objects of the message with the shape of this one that are named like latitudes and longitudes, as
/// messages on unstructured and curvilinear grids have them. Returns nothing if there is none of one kind. Examines as
/// many objects as `find_axes`.
std::optional<point_coordinates> find_points(const message&, const object&);

}  // namespace tgmap::picture
