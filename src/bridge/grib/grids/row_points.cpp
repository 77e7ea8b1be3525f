// SPDX-License-Identifier: Apache-2.0
#include "bridge/grib/grids/row_points.hpp"

#include <algorithm>
#include <numeric>

namespace tgmap::bridge::grib {

std::vector<std::uint32_t> octahedral_rows(std::size_t n) {
  constexpr std::uint32_t at_pole = 20, more = 4;
  std::vector<std::uint32_t> out(2 * n);
  for (std::size_t i = 0; i < n; ++i) out[i] = out[2 * n - 1 - i] = at_pole + more * static_cast<std::uint32_t>(i);
  return out;
}

std::uint64_t total_points(std::span<const std::uint32_t> rows) noexcept {
  return std::accumulate(rows.begin(), rows.end(), std::uint64_t{0});
}

provided_degrees row_points(std::span<const double> latitudes, std::span<const std::uint32_t> rows) {
  constexpr double circle = 360;
  const auto points = static_cast<std::size_t>(total_points(rows));
  provided_degrees out{.are_points = true};
  out.latitudes.reserve(points);
  out.longitudes.reserve(points);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    out.latitudes.insert(out.latitudes.end(), rows[row], latitudes[row]);
    for (std::uint32_t i = 0; i < rows[row]; ++i)
      out.longitudes.push_back(static_cast<double>(i) * circle / static_cast<double>(rows[row]));
  }
  return out;
}

provided_degrees product_points(std::span<const double> latitudes, std::span<const double> longitudes) {
  provided_degrees out{.are_points = true};
  out.latitudes.reserve(latitudes.size() * longitudes.size());
  out.longitudes.reserve(latitudes.size() * longitudes.size());
  for (const double latitude : latitudes) {
    out.latitudes.insert(out.latitudes.end(), longitudes.size(), latitude);
    out.longitudes.insert(out.longitudes.end(), longitudes.begin(), longitudes.end());
  }
  return out;
}

}  // namespace tgmap::bridge::grib
