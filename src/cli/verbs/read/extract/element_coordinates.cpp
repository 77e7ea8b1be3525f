// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/read/extract/element_coordinates.hpp"

#include <algorithm>
#include <optional>
#include <tgmap/decode/part_reader.hpp>
#include <tgmap/message.hpp>
#include <utility>

#include "grid/coordinate_lists.hpp"
#include "grid/coordinates.hpp"
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

/// Returns the coordinates of the kept indices of a whole dimension.
std::vector<double> part_of(const std::vector<double>& whole, const box& part, std::size_t d) {
  std::vector<double> out;
  if (whole.empty()) return out;
  for (std::uint64_t i = 0; i < part.count[d]; ++i)
    out.push_back(whole[static_cast<std::size_t>(part.start[d] + i * part.stride[d])]);
  return out;
}

/// Returns the elements of a part of a list in the metadata; nothing if there is no list of the length of the object.
std::optional<std::vector<double>> listed(const object& of, picture::axis_kind kind, const box& part) {
  failure unreadable;
  const auto all = picture::find_list(of.metadata(unreadable), kind, of.descriptor().element_count);
  return all.empty() ? std::nullopt : std::optional(part_of(all, part, 0));
}

/// Returns the latitude and longitude of each element; empty if the message has no objects with them.
std::vector<convert::coordinate> find_points(const message& in, const object& of, const box& part) {
  std::uint64_t elements = 1;
  for (const std::uint64_t count : part.count) {
    if (count != 0 && elements > max_points / count) return {};
    elements *= count;
  }
  std::optional<std::vector<double>> latitudes, longitudes;
  if (const auto points = picture::find_points(in, of)) {
    latitudes = numbers_of(points->latitudes, part);
    longitudes = numbers_of(points->longitudes, part);
  } else if (part.start.size() == 1) {
    latitudes = listed(of, picture::axis_kind::latitude, part);
    longitudes = listed(of, picture::axis_kind::longitude, part);
  }
  if (!latitudes || !longitudes) return {};
  return {{.name = "latitude", .dimension = std::nullopt, .values = std::move(*latitudes)},
          {.name = "longitude", .dimension = std::nullopt, .values = std::move(*longitudes)}};
}

found_coordinates find_dimensions(const message& in, const object& of, const box& part) {
  const descriptor what = of.descriptor();
  std::vector<picture::slice::extent> whole;
  for (const std::uint64_t size : what.shape()) whole.push_back({.begin = 0, .size = size, .full_size = size});
  auto [axes, why_no_degrees] = picture::find_axes(in, of, whole);

  found_coordinates out{.coordinates = {}, .why_no_degrees = std::move(why_no_degrees)};
  for (std::size_t i = 0; i < part.kept.size(); ++i) {
    const std::size_t d = part.kept[i];
    const bool is_index = axes[d].kind == picture::axis_kind::index;
    out.coordinates.push_back({.name = is_index ? "index_" + std::to_string(d) : axes[d].name,
                               .dimension = i,
                               .values = part_of(axes[d].values, part, d),
                               .first = part.start[d],
                               .step = part.stride[d]});
  }
  return out;
}

}  // namespace

bool found_coordinates::are_indices() const {
  return !coordinates.empty() && std::ranges::all_of(coordinates, [](const auto& each) { return each.values.empty(); });
}

found_coordinates find_coordinates(const message& in, const object& of, const box& part) {
  auto points = find_points(in, of, part);
  if (points.empty()) return find_dimensions(in, of, part);
  return {.coordinates = std::move(points), .why_no_degrees = {}};
}

}  // namespace tgmap::cli
