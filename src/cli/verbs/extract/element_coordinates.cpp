// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/extract/element_coordinates.hpp"

#include <algorithm>
#include <optional>
#include <tgmap/decode/part_reader.hpp>
#include <tgmap/message.hpp>

#include "picture/coordinates.hpp"
#include "statistics/load_doubles.hpp"

namespace tgmap::cli {

namespace {

constexpr std::uint64_t max_points = std::uint64_t{1} << 24;  // in memory as doubles

/// Returns the elements of a part in C order; nothing if they cannot be decoded.
std::optional<std::vector<double>> numbers_of(const object& from, const box& part) {
  try {
    const tensor elements = part_reader(from, decode_options{}).slab({part.start, part.count, part.stride});
    std::vector<double> out(static_cast<std::size_t>(elements.size()));
    statistics::load_doubles(elements.bytes(), elements.dtype(), 0, 1, out);
    return out;
  } catch (const error&) {
    return std::nullopt;
  }
}

/// Returns the latitude and longitude of each element; empty if the message has no objects with them.
std::vector<convert::coordinate> find_points(const message& in, const object& of, const box& part) {
  std::uint64_t elements = 1;
  for (const std::uint64_t count : part.count) {
    if (count != 0 && elements > max_points / count) return {};
    elements *= count;
  }
  const auto points = picture::find_points(in, of);
  if (!points) return {};
  auto latitudes = numbers_of(points->latitudes, part), longitudes = numbers_of(points->longitudes, part);
  if (!latitudes || !longitudes) return {};
  return {{.name = "latitude", .dimension = std::nullopt, .values = std::move(*latitudes)},
          {.name = "longitude", .dimension = std::nullopt, .values = std::move(*longitudes)}};
}

/// Returns the coordinates of the kept indices of an axis over a whole dimension.
std::vector<double> part_of(const picture::axis& whole, std::uint64_t start, std::uint64_t count, std::uint64_t step) {
  std::vector<double> out;
  if (whole.values.empty()) return out;
  for (std::uint64_t i = 0; i < count; ++i) out.push_back(whole.values[static_cast<std::size_t>(start + i * step)]);
  return out;
}

std::vector<convert::coordinate> find_dimensions(const message& in, const object& of, const box& part) {
  const descriptor what = of.descriptor();
  std::vector<picture::slice::extent> whole;
  for (const std::uint64_t size : what.shape()) whole.push_back({.begin = 0, .size = size, .full_size = size});
  const auto axes = picture::find_axes(in, of, whole);

  std::vector<convert::coordinate> out;
  for (std::size_t i = 0; i < part.kept.size(); ++i) {
    const std::size_t d = part.kept[i];
    const bool is_index = axes[d].kind == picture::axis_kind::index;
    out.push_back({.name = is_index ? "index_" + std::to_string(d) : axes[d].name,
                   .dimension = i,
                   .values = part_of(axes[d], part.start[d], part.count[d], part.stride[d]),
                   .first = part.start[d],
                   .step = part.stride[d]});
  }
  return out;
}

}  // namespace

std::vector<convert::coordinate> find_coordinates(const message& in, const object& of, const box& part) {
  auto points = find_points(in, of, part);
  return points.empty() ? find_dimensions(in, of, part) : points;
}

bool are_indices(const std::vector<convert::coordinate>& all) {
  return !all.empty() && std::all_of(all.begin(), all.end(), [](const auto& each) { return each.values.empty(); });
}

}  // namespace tgmap::cli
