// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "grid/coordinate_lists.hpp"
#include "grid/coordinates.hpp"
#include "grid/named_objects.hpp"

namespace tgmap::grids {

namespace {

/// Returns the degrees of points that are listed in the metadata of an object of one dimension.
std::optional<std::pair<std::vector<double>, coordinate_origin>> listed_points(const metadata& keys,
                                                                               const descriptor& what,
                                                                               coordinate_kind kind,
                                                                               const slice& part) {
  found_list all = find_list(keys, kind, what.element_count);
  if (all.numbers.empty()) return std::nullopt;
  return std::pair(part_of(all.numbers, part.dimensions[0]),
                   coordinate_origin{coordinate_source::list, {}, std::move(all.key)});
}

/// Returns the elements at a part of an object of this shape that are given in C order.
std::vector<double> part_of(const std::vector<double>& whole, const slice& part) {
  std::vector<double> out;
  const auto take = [&](const auto& self, std::size_t d, std::uint64_t at) -> void {
    if (d == part.dimensions.size()) return out.push_back(whole[static_cast<std::size_t>(at)]);
    const slice::extent& e = part.dimensions[d];
    for (std::uint64_t i = 0; i < e.size; ++i) self(self, d + 1, at * e.full_size + e.index(i));
  };
  take(take, 0, 0);
  return out;
}

/// The objects with the latitude and the longitude of each element of another object.
struct point_objects {
  std::optional<object> latitudes{}, longitudes{};
};

/// Finds the objects with the shape of this one that are named like latitudes and longitudes.
point_objects find_point_objects(const grid_of_object& grid, const descriptor& field) {
  point_objects out;
  for_each_named(
      grid.in, grid.of,
      [&](const object& other) {
        failure unreadable;
        const descriptor what = other.descriptor(unreadable);
        return !unreadable && std::ranges::equal(what.shape(), field.shape());
      },
      [&](const object& other, const known_name& known) {
        if (known.kind == coordinate_kind::latitude && !out.latitudes) out.latitudes = other;
        if (known.kind == coordinate_kind::longitude && !out.longitudes) out.longitudes = other;
        return !out.latitudes || !out.longitudes;
      });
  return out;
}

bool has_too_many_elements(const slice& part) {
  std::uint64_t elements = 1;
  for (const slice::extent& e : part.dimensions) {
    if (e.size != 0 && elements > max_coordinates / e.size) return true;
    elements *= e.size;
  }
  return false;
}

}  // namespace

std::optional<named_degrees> ask_providers(const grid_of_object& grid, const metadata& keys, const descriptor& what,
                                           failure& why) {
  const auto shape = what.shape();
  for (const grid_provider* each : grid.providers) {
    auto found = each->find(keys, shape, why);
    if (why) return std::nullopt;
    if (!found) continue;
    const bool fits = found->are_points ? found->latitudes.size() == what.element_count &&
                                              found->longitudes.size() == what.element_count
                                        : shape.size() >= 2 && found->latitudes.size() == shape[shape.size() - 2] &&
                                              found->longitudes.size() == shape.back();
    if (!fits) {
      why = {.code = errc::invalid_option, .argument = "grid_provider"};
      return std::nullopt;
    }
    return named_degrees{std::move(*found), {coordinate_source::provider, {}, std::string(each->name())}};
  }
  return std::nullopt;
}

std::optional<grid_points> find_points(const grid_of_object& grid, const slice& part, failure& why) {
  const descriptor field = grid.of.descriptor(why);
  if (why || field.shape().empty() || has_too_many_elements(part)) return std::nullopt;
  if (const auto objects = find_point_objects(grid, field); objects.latitudes && objects.longitudes) {
    auto latitudes = numbers_of(*objects.latitudes, part), longitudes = numbers_of(*objects.longitudes, part);
    if (!latitudes || !longitudes) return std::nullopt;
    return grid_points{std::move(*latitudes),
                       std::move(*longitudes),
                       {coordinate_source::object, objects.latitudes->index(), {}},
                       {coordinate_source::object, objects.longitudes->index(), {}}};
  }
  failure unreadable;
  const metadata keys = grid.of.metadata(unreadable);
  if (part.dimensions.size() == 1) {
    auto latitudes = listed_points(keys, field, coordinate_kind::latitude, part);
    auto longitudes = listed_points(keys, field, coordinate_kind::longitude, part);
    if (latitudes && longitudes)
      return grid_points{std::move(latitudes->first), std::move(longitudes->first), std::move(latitudes->second),
                         std::move(longitudes->second)};
  }
  auto provided = ask_providers(grid, keys, field, why);
  if (!provided || !provided->degrees.are_points) return std::nullopt;
  return grid_points{part_of(provided->degrees.latitudes, part), part_of(provided->degrees.longitudes, part),
                     provided->from, provided->from};
}

}  // namespace tgmap::grids
