// SPDX-License-Identifier: Apache-2.0
#include "bridge/grib/grids/rotation.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tgmap::bridge::grib {

void rotate_to_globe(provided_degrees& points, const grid_rotation& by) noexcept {
  constexpr double radians = std::numbers::pi / 180, circle = 360, right_angle = 90;
  const double tilt = (right_angle + by.latitude) * radians;
  const double sine = std::sin(tilt), cosine = std::cos(tilt);
  for (std::size_t i = 0; i < points.latitudes.size(); ++i) {
    const double latitude = points.latitudes[i] * radians, longitude = points.longitudes[i] * radians;
    const double x = std::cos(latitude) * std::cos(longitude), y = std::cos(latitude) * std::sin(longitude);
    const double z = std::sin(latitude);
    points.latitudes[i] = std::asin(std::clamp(sine * x + cosine * z, -1.0, 1.0)) / radians;
    const double east = std::atan2(y, cosine * x - sine * z) / radians + by.longitude;
    points.longitudes[i] = std::remainder(east, circle);
  }
}

}  // namespace tgmap::bridge::grib
