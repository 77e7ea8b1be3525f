// SPDX-License-Identifier: Apache-2.0
#include "picture/point_map.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace tgmap::picture {

namespace {

constexpr double circle = 360, pole = 90, radians = std::numbers::pi / 180;

/// Returns the longitude at which a map of these points begins: the eastern side of the widest gap between them, in
/// whole degrees. If no gap is much wider than the others, the points are all around: 0, or -180 if there are western
/// longitudes.
double western_side(const std::vector<double>& longitudes, double lowest, bool& is_round) {
  constexpr std::size_t sectors = 360, wide = 10;
  std::array<bool, sectors> has_points{};
  for (const double each : longitudes)
    has_points[static_cast<std::size_t>(std::fmod(each + 2 * circle, circle)) % sectors] = true;
  std::size_t longest = 0, second = 0, begin = 0, run = 0;
  const auto first =
      static_cast<std::size_t>(std::find(has_points.begin(), has_points.end(), true) - has_points.begin());
  for (std::size_t i = first + 1; i <= first + sectors; ++i) {  // once around, back to a sector with points
    if (!has_points[i % sectors]) {
      ++run;
      continue;
    }
    second = std::max(second, std::min(run, longest));
    if (run > longest) longest = run, begin = i % sectors;
    run = 0;
  }
  is_round = longest < wide || longest <= 2 * second;
  return is_round ? (lowest < 0 ? -circle / 2 : 0) : static_cast<double>(begin);
}

axis make_side(axis_kind kind, const char* name, double first, double last, std::uint64_t size) {
  axis out{.kind = kind, .name = name, .size = size};
  for (std::uint64_t i = 0; i < size; ++i)
    out.values.push_back(first + (last - first) * (static_cast<double>(i) + 0.5) / static_cast<double>(size));
  return out;
}

}  // namespace

std::optional<point_map> make_point_map(grid_points&& points) {
  const auto is_place = [](double latitude, double longitude) {
    constexpr double rounding = 1e-3;
    return std::fabs(latitude) <= pole + rounding && std::fabs(longitude) <= 2 * circle;
  };
  for (std::size_t i = 0; i < points.latitudes.size(); ++i)
    if (!is_place(points.latitudes[i], points.longitudes[i])) return std::nullopt;  // NaN, too
  if (points.latitudes.empty()) return std::nullopt;
  point_map out{.latitudes = std::move(points.latitudes), .longitudes = std::move(points.longitudes)};
  const auto [low, high] = std::minmax_element(out.latitudes.begin(), out.latitudes.end());
  out.south = *low, out.north = *high;
  bool is_round = false;
  out.west = western_side(out.longitudes, *std::min_element(out.longitudes.begin(), out.longitudes.end()), is_round);
  for (double& each : out.longitudes) each = out.west + std::fmod(each - out.west + 3 * circle, circle);
  const auto [left, right] = std::minmax_element(out.longitudes.begin(), out.longitudes.end());
  out.east = is_round ? out.west + circle : *right;
  if (!is_round) out.west = *left;
  if (out.north <= out.south || out.east <= out.west) return std::nullopt;

  // The distance of neighbours, if all points are equally far from each other.
  const double area = (out.east - out.west) * radians * (std::sin(out.north * radians) - std::sin(out.south * radians));
  const double spacing = std::sqrt(area / static_cast<double>(out.latitudes.size())) / radians;
  out.max_distance = 2 * spacing;
  const auto edge = [&](double latitude) {  // north of the northern points; a globe has its poles
    return is_round && pole - latitude <= spacing ? pole : std::min(pole, latitude + spacing / 2);
  };
  out.north = edge(out.north);
  out.south = -edge(-out.south);
  if (!is_round) out.west -= spacing / 2, out.east = std::min(out.east + spacing / 2, out.west + circle);

  constexpr double longest_side = 720;  // more than a picture has labels
  const double height = out.north - out.south, width = out.east - out.west,
               unit = std::max(height, width) / longest_side;
  const auto steps = [&](double side) { return static_cast<std::uint64_t>(std::max(2.0, std::round(side / unit))); };
  out.rows = make_side(axis_kind::latitude, "latitude", out.north, out.south, steps(height));
  out.columns = make_side(axis_kind::longitude, "longitude", out.west, out.east, steps(width));
  return out;
}

point_cells::point_cells(point_map map, std::size_t rows, std::size_t columns)
    : map_(std::move(map)),
      rows_(rows),
      columns_(columns),
      row_degrees_((map_.north - map_.south) / static_cast<double>(rows)),
      column_degrees_((map_.east - map_.west) / static_cast<double>(columns)),
      sums_(rows * columns),
      counts_(rows * columns),
      has_infinite_(rows * columns),
      nearest_(rows * columns, none),
      distances_(rows * columns, std::numeric_limits<float>::infinity()) {
  for (std::size_t row = 0; row < rows_; ++row)
    cosines_.push_back(std::cos((map_.north - (static_cast<double>(row) + 0.5) * row_degrees_) * radians));
  for (std::size_t i = 0; i < map_.latitudes.size(); ++i) {
    const std::size_t cell = cell_of(i);
    nearest_[cell] = static_cast<std::uint32_t>(cell);
    distances_[cell] = 0;
  }
  find_nearest();
}

std::size_t point_cells::cell_of(std::size_t point) const noexcept {
  const auto number = [](double degrees, double each, std::size_t count) {
    return static_cast<std::size_t>(std::clamp(std::floor(degrees / each), 0.0, static_cast<double>(count - 1)));
  };
  return number(map_.north - map_.latitudes[point], row_degrees_, rows_) * columns_ +
         number(map_.longitudes[point] - map_.west, column_degrees_, columns_);
}

/// Takes the cell that is nearest to a neighbour, if it is nearer than the one known.
void point_cells::compare(std::size_t row, std::size_t column, std::ptrdiff_t down, std::ptrdiff_t right) noexcept {
  const std::ptrdiff_t other_row = static_cast<std::ptrdiff_t>(row) + down,
                       width = static_cast<std::ptrdiff_t>(columns_);
  std::ptrdiff_t other_column = static_cast<std::ptrdiff_t>(column) + right;
  if (other_row < 0 || other_row >= static_cast<std::ptrdiff_t>(rows_)) return;
  if (map_.is_round()) other_column = (other_column + width) % width;
  if (other_column < 0 || other_column >= width) return;
  const std::uint32_t candidate = nearest_[static_cast<std::size_t>(other_row * width + other_column)];
  if (candidate == none) return;
  double across = std::fabs(static_cast<double>(candidate % columns_) - static_cast<double>(column));
  if (map_.is_round()) across = std::min(across, static_cast<double>(columns_) - across);
  const std::size_t candidate_row = candidate / columns_;
  const double up = static_cast<double>(candidate_row) - static_cast<double>(row);
  const double x = across * column_degrees_ * cosines_[row], y = up * row_degrees_;
  const auto distance = static_cast<float>(x * x + y * y);
  const std::size_t cell = row * columns_ + column;
  if (distance >= distances_[cell]) return;
  distances_[cell] = distance;
  nearest_[cell] = candidate;
}

/// Passes the nearest cells on from neighbour to neighbour, down and up, and in each row both ways. On a map that goes
/// round the globe rows are walked twice.
void point_cells::find_nearest() {
  const unsigned rounds = map_.is_round() ? 2 : 1;
  for (const std::ptrdiff_t down : {-1, 1})
    for (std::size_t i = 0; i < rows_; ++i) {
      const std::size_t row = down < 0 ? i : rows_ - 1 - i;
      for (std::size_t column = 0; column < columns_; ++column)
        for (const std::ptrdiff_t right : {-1, 0, 1}) compare(row, column, down, right);
      for (unsigned round = 0; round < rounds; ++round) {
        for (std::size_t column = 0; column < columns_; ++column) compare(row, column, 0, -1);
      }
      for (unsigned round = 0; round < rounds; ++round) {
        for (std::size_t column = columns_; column-- > 0;) compare(row, column, 0, 1);
      }
    }
}

void point_cells::add(std::uint64_t at, std::span<const double> numbers) {
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::size_t cell = cell_of(static_cast<std::size_t>(at) + i);
    const double x = numbers[i];
    if (std::isfinite(x)) {
      sums_[cell].add({&x, 1}, x);
      ++counts_[cell];
    } else if (std::isinf(x)) {
      has_infinite_[cell] = 1;
    }
  }
}

double point_cells::at(std::size_t row, std::size_t column) const noexcept {
  const std::size_t cell = row * columns_ + column;
  if (content(row, column) != cell_content::finite) return std::numeric_limits<double>::quiet_NaN();
  return sums_[nearest_[cell]].mean(counts_[nearest_[cell]]);
}

cell_content point_cells::content(std::size_t row, std::size_t column) const noexcept {
  const std::size_t cell = row * columns_ + column;
  const std::uint32_t from = nearest_[cell];
  if (from == none || std::sqrt(static_cast<double>(distances_[cell])) > map_.max_distance)
    return cell_content::outside;
  if (counts_[from] != 0) return cell_content::finite;
  return has_infinite_[from] != 0 ? cell_content::infinite : cell_content::missing;
}

}  // namespace tgmap::picture
