// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <tgmap/tools/grid.hpp>
#include <vector>

#include "picture/axes.hpp"
#include "picture/cells.hpp"

namespace tgmap::picture {

/// A `point_map` is the places of the elements of a field on a map, and the axes of the map. North is up, and
/// longitudes go on beyond 180 or 360 degrees where the points do.
struct point_map {
  std::vector<double> latitudes{}, longitudes{};
  axis rows{}, columns{};
  double north = 0, south = 0, west = 0, east = 0;  ///< the sides of the map in degrees
  double max_distance = 0;                          ///< degrees from a point within which a cell shows its value

  /// Returns true if the map goes round the globe.
  bool is_round() const noexcept { return east - west >= 360; }
};

/// Returns the map of some points, or nothing if they do not have two latitudes and two longitudes, or if one is no
/// place of the globe. Complexity: linear.
std::optional<point_map> make_point_map(grid_points&&);

/// A `point_cells` reduces the elements at scattered points to a grid of means. A cell without a point has the content
/// of the nearest cell that has one, if that is near enough. Otherwise it is outside.
class point_cells final : public cell_map {
 public:
  /// Makes `rows` × `columns` cells. No argument is 0.
  point_cells(point_map, std::size_t rows, std::size_t columns);

  /// Adds the elements of the points from number `at` on.
  void add(std::uint64_t at, std::span<const double>);

  std::size_t rows() const noexcept override { return rows_; }
  std::size_t columns() const noexcept override { return columns_; }
  double at(std::size_t row, std::size_t column) const noexcept override;
  cell_content content(std::size_t row, std::size_t column) const noexcept override;

 private:
  static constexpr std::uint32_t none = UINT32_MAX;

  std::size_t cell_of(std::size_t point) const noexcept;
  void find_nearest();
  void compare(std::size_t row, std::size_t column, std::ptrdiff_t down, std::ptrdiff_t right) noexcept;

  point_map map_;
  std::size_t rows_, columns_;
  double row_degrees_, column_degrees_;
  std::vector<double> cosines_{};  // of the latitude of each row
  std::vector<finite_sum> sums_{};
  std::vector<std::uint32_t> counts_{};
  std::vector<std::uint8_t> has_infinite_{};
  std::vector<std::uint32_t> nearest_{};  // the cell with a point that is nearest to each cell
  std::vector<float> distances_{};        // to it, in degrees, squared
};

}  // namespace tgmap::picture
