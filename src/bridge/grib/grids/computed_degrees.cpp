// SPDX-License-Identifier: Apache-2.0
#include "bridge/grib/grids/computed_degrees.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "bridge/grib/grids/gaussian_latitudes.hpp"
#include "bridge/grib/grids/healpix.hpp"
#include "bridge/grib/grids/row_points.hpp"
#include "bridge/grib/sections/numbers.hpp"

namespace tgmap::bridge::grib {

namespace {

constexpr double circle = 360;

/// Replaces the degrees of points of a rotated grid by those of the globe, with longitudes from -180 to 180.
/// `grid_rotation::angle` must be 0. Complexity: linear; 60 ns for a point.
void rotate_to_globe(provided_degrees& points, const grid_rotation& by) noexcept {
  constexpr double radians = std::numbers::pi / 180, right_angle = 90;
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

using numbers = std::optional<std::vector<double>>;

bool is_gaussian(grid_template kind) noexcept {
  return kind == grid_template::gaussian || kind == grid_template::rotated_gaussian;
}

/// Returns numbers in equal steps, from the first to the last exactly.
std::vector<double> even_numbers(double first, double last, std::uint64_t count) {
  std::vector<double> out(static_cast<std::size_t>(count), first);
  for (std::size_t i = 1; i < out.size(); ++i)
    out[i] = first + (last - first) * static_cast<double>(i) / static_cast<double>(count - 1);
  return out;
}

/// Returns the rows of the Gaussian latitudes that begin and end with those of the area.
numbers gaussian_rows(const grid_section& of) {
  if (of.number == 0 || of.number > max_gaussian_number || of.rows > 2 * of.number) return std::nullopt;
  const std::vector<double> all = gaussian_latitudes(static_cast<std::size_t>(of.number));
  const double slack = 90.0 / static_cast<double>(2 * of.number) / 2;  // half the distance of two latitudes
  const auto nearest = [&](double latitude) {
    const auto below = std::lower_bound(all.begin(), all.end(), latitude, std::greater<>());
    auto at = below == all.end() ? all.end() - 1 : below;
    if (at != all.begin() && std::fabs(at[-1] - latitude) < std::fabs(*at - latitude)) --at;
    return at;
  };
  const auto first = nearest(of.area.first_latitude), last = nearest(of.area.last_latitude);
  const double error = std::max(std::fabs(*first - of.area.first_latitude), std::fabs(*last - of.area.last_latitude));
  if (error > slack || static_cast<std::uint64_t>(std::abs(last - first)) + 1 != of.rows) return std::nullopt;
  if (of.rows > 1 && of.scanning.j_increases() != (last < first)) return std::nullopt;
  std::vector<double> out(std::min(first, last), std::max(first, last) + 1);
  if (last < first) std::reverse(out.begin(), out.end());
  return out;
}

numbers latitudes_of(const grid_section& of) {
  if (is_gaussian(of.kind)) return gaussian_rows(of);
  const double first = of.area.first_latitude, last = of.area.last_latitude;
  if (of.rows > 1 && (first == last || of.scanning.j_increases() != (last > first))) return std::nullopt;
  return even_numbers(first, last, of.rows);
}

std::vector<double> longitudes_of(const grid_section& of) {
  double first = of.area.first_longitude, last = of.area.last_longitude;
  if (of.columns == 1) return {first};
  if (of.scanning.i_decreases() && last >= first) last -= circle;
  if (!of.scanning.i_decreases() && last <= first) last += circle;
  if (const double turn = std::max(first, last) > circle ? circle : 0; turn != 0) first -= turn, last -= turn;
  return even_numbers(first, last, of.columns);
}

/// Puts points of rows and columns into the order of the scanning mode.
provided_degrees scanned_points(const grid_section& of, const std::vector<double>& latitudes,
                                const std::vector<double>& longitudes) {
  const bool by_columns = of.scanning.j_is_consecutive();
  provided_degrees out = by_columns ? product_points(longitudes, latitudes) : product_points(latitudes, longitudes);
  if (by_columns) std::swap(out.latitudes, out.longitudes);
  if (!of.scanning.rows_alternate()) return out;
  const auto length = static_cast<std::ptrdiff_t>(by_columns ? of.rows : of.columns);
  std::vector<double>& changing = by_columns ? out.latitudes : out.longitudes;
  for (auto row = changing.begin() + length; row < changing.end(); row += 2 * length) {
    std::reverse(row, row + length);
    if (changing.end() - row <= 2 * length) break;
  }
  return out;
}

/// Adds the points of a row of a reduced grid that are in an area. `whole` is the number of those of the circle.
/// Returns false if there are more than `room`.
bool add_row(provided_degrees& to, double latitude, std::uint32_t whole, const grid_area& area, std::uint64_t room) {
  if (whole == 0) return true;
  const double step = circle / static_cast<double>(whole);
  double last = area.last_longitude;
  if (last < area.first_longitude) last += circle;
  // Numbers of the section are rounded, so a point may be just outside.
  const auto begin = static_cast<std::int64_t>(std::ceil((area.first_longitude - area.precision) / step));
  auto end = static_cast<std::int64_t>(std::floor((last + area.precision) / step));
  end = std::min(end, begin + static_cast<std::int64_t>(whole) - 1);
  if (end - begin >= static_cast<std::int64_t>(room)) return false;
  for (std::int64_t i = begin; i <= end; ++i) {
    to.latitudes.push_back(latitude);
    to.longitudes.push_back(static_cast<double>(i) * circle / static_cast<double>(whole));
  }
  return true;
}

/// Returns true if the rows of a reduced grid of latitudes and longitudes go round the globe.
bool goes_round(const grid_section& of) {
  const std::uint32_t longest = *std::max_element(of.row_lengths.begin(), of.row_lengths.end());
  const double gap = std::remainder(of.area.first_longitude - of.area.last_longitude, circle);
  return longest != 0 && std::fabs(gap - circle / longest) <= of.area.precision * 2;
}

std::optional<provided_degrees> reduced_points(const grid_section& of, const std::vector<double>& latitudes) {
  if ((of.scanning.flags & ~0x40U) != 0) return std::nullopt;  // rows go from west to east
  const std::uint64_t points = total_points(of.row_lengths);
  if (points == of.points && of.area.first_longitude == 0 && (is_gaussian(of.kind) || goes_round(of)))
    return row_points(latitudes, of.row_lengths);
  provided_degrees out{.are_points = true};
  for (std::size_t row = 0; row < latitudes.size(); ++row)
    if (!add_row(out, latitudes[row], of.row_lengths[row], of.area, of.points - out.latitudes.size()))
      return std::nullopt;
  return out.latitudes.size() == of.points ? std::optional(std::move(out)) : std::nullopt;
}

std::optional<provided_degrees> stored_degrees(const grid_section& of) {
  numbers latitudes = latitudes_of(of);
  if (!latitudes) return std::nullopt;
  if (of.columns == 0) return reduced_points(of, *latitudes);
  std::vector<double> longitudes = longitudes_of(of);
  const bool are_axes = !of.scanning.j_is_consecutive() && !of.scanning.rows_alternate();
  if (are_axes && of.kind != grid_template::rotated_latitude_longitude && of.kind != grid_template::rotated_gaussian)
    return provided_degrees{std::move(*latitudes), std::move(longitudes), false};
  return scanned_points(of, *latitudes, longitudes);
}

}  // namespace

bool is_computed(grid_template kind) noexcept {
  return kind == grid_template::latitude_longitude || kind == grid_template::rotated_latitude_longitude ||
         is_gaussian(kind) || kind == grid_template::healpix;
}

std::optional<provided_degrees> compute_degrees(const grid_section& of) {
  if (of.kind == grid_template::healpix) {
    const auto order = octet(of.bytes, 40) == 1 ? healpix_order::nested : healpix_order::ring;
    const bool is_known = octet(of.bytes, 40) <= 1 && of.scanning.flags == 0 &&
                          is_healpix(of.number, order, of.points) && 12 * of.number * of.number == of.points;
    return is_known ? std::optional(healpix_degrees(static_cast<std::size_t>(of.number), order)) : std::nullopt;
  }
  if (of.scanning.has_offsets() || of.rotation.angle != 0) return std::nullopt;
  auto out = stored_degrees(of);
  if (out && (of.kind == grid_template::rotated_latitude_longitude || of.kind == grid_template::rotated_gaussian))
    rotate_to_globe(*out, of.rotation);
  return out;
}

}  // namespace tgmap::bridge::grib
