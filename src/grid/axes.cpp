// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "grid/coordinate_lists.hpp"
#include "grid/coordinates.hpp"
#include "grid/named_objects.hpp"
#include "grid/regular_grid.hpp"

namespace tgmap::grids {

namespace {

std::string_view label_of(coordinate_kind kind) { return kind == coordinate_kind::latitude ? "latitude" : "longitude"; }

/// Returns true if an object has the shape of coordinates of one of these dimensions. Reads only its descriptor.
bool may_be_coordinates(const object& o, std::span<const slice::extent> dimensions, descriptor& descriptor) {
  failure why;
  descriptor = o.descriptor(why);
  if (why || descriptor.shape().size() != 1) return false;
  return std::any_of(dimensions.begin(), dimensions.end(), [&](const slice::extent& e) {
    return e.full_size == descriptor.shape()[0] && e.size <= max_coordinates;
  });
}

/// Returns the dimensions in the order in which coordinates of a name are sought: rows and columns are the last two.
std::vector<std::size_t> search_order(preference preferred, std::size_t count) {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < count; ++i) out.push_back(preferred == preference::last ? count - 1 - i : i);
  if (preferred == preference::first && count > 2) std::rotate(out.begin(), out.end() - 2, out.end());
  return out;
}

/// Returns the dimension that coordinates of this name and length belong to.
std::optional<std::size_t> find_dimension(const known_name& known, std::uint64_t length,
                                          std::span<const slice::extent> dimensions,
                                          const std::vector<bool>& is_taken) {
  for (const std::size_t i : search_order(known.preferred, dimensions.size()))
    if (dimensions[i].full_size == length && !is_taken[i]) return i;
  return std::nullopt;
}

/// Removes the jumps of longitudes that wrap around, so that they rise or fall throughout.
void unwrap(std::vector<double>& degrees) {
  double turns = 0;
  for (std::size_t i = 1; i < degrees.size(); ++i) {
    const double step = degrees[i] + turns - degrees[i - 1];
    if (std::fabs(step) > 180) turns -= std::copysign(360, step);
    degrees[i] += turns;
  }
}

bool is_strictly_monotonic(const std::vector<double>& values) {
  if (std::any_of(values.begin(), values.end(), [](double x) { return !std::isfinite(x); })) return false;
  const auto not_rising = [](double a, double b) { return a >= b; };
  const auto not_falling = [](double a, double b) { return a <= b; };
  return std::adjacent_find(values.begin(), values.end(), not_rising) == values.end() ||
         std::adjacent_find(values.begin(), values.end(), not_falling) == values.end();
}

/// The last two dimensions of an object, which get degrees from its metadata or from providers.
class rows_and_columns {
 public:
  rows_and_columns(std::span<const slice::extent> dimensions, std::span<grid_axis> axes)
      : dimensions_(dimensions), axes_(axes) {}

  bool exist() const { return dimensions_.size() >= 2; }
  bool have_degrees() const {
    return exist() && std::all_of(axes_.end() - 2, axes_.end(),
                                  [](const grid_axis& axis) { return axis.kind != coordinate_kind::index; });
  }
  std::uint64_t full_size(coordinate_kind kind) const { return dimensions_[dimension(kind)].full_size; }
  bool need(coordinate_kind kind) const {
    const std::size_t d = dimension(kind);
    return exist() && axes_[d].kind == coordinate_kind::index && dimensions_[d].size <= max_coordinates;
  }

  /// Gives the rows latitudes or the columns longitudes, if they have none. `whole` has those of the whole dimension.
  template <class Degrees>
  void set(coordinate_kind kind, const Degrees& whole, coordinate_origin from) {
    if (!need(kind)) return;
    const std::size_t d = dimension(kind);
    axes_[d] = make_axis(kind, std::string(label_of(kind)), part_of(whole, dimensions_[d]), std::move(from));
  }

 private:
  std::size_t dimension(coordinate_kind kind) const {
    return dimensions_.size() - (kind == coordinate_kind::latitude ? 2 : 1);
  }

  std::span<const slice::extent> dimensions_;
  std::span<grid_axis> axes_;
};

/// Gives the rows and columns without coordinates those of lists in the metadata, of a regular grid or of a provider.
/// Returns why they get none.
grid_obstacle use_metadata(const grid_of_object& grid, std::span<const slice::extent> dimensions,
                           std::span<grid_axis> axes, failure& why) {
  constexpr auto latitude = coordinate_kind::latitude, longitude = coordinate_kind::longitude;
  failure unreadable;
  const metadata keys = grid.of.metadata(unreadable);
  rows_and_columns both(dimensions, axes);
  for (const auto kind : {latitude, longitude})
    if (both.need(kind))
      if (found_list all = find_list(keys, kind, both.full_size(kind)); !all.numbers.empty())
        both.set(kind, all.numbers, {coordinate_source::list, {}, std::move(all.key)});

  std::vector<std::uint64_t> shape;
  for (const slice::extent& each : dimensions) shape.push_back(each.full_size);
  found_grid found = find_grid(keys, shape);
  if (found.grid) {
    both.set(latitude, found.grid->latitudes, {coordinate_source::regular_grid, {}, "mars.area"});
    both.set(longitude, found.grid->longitudes, {coordinate_source::regular_grid, {}, "mars.area"});
  }
  if (both.have_degrees()) return {};
  if (!grid.providers.empty() && both.exist()) {
    const descriptor what = grid.of.descriptor(why);
    const auto provided = why ? std::nullopt : ask_providers(grid, keys, what, why);
    if (provided && !provided->degrees.are_points) {
      both.set(latitude, provided->degrees.latitudes, provided->from);
      both.set(longitude, provided->degrees.longitudes, provided->from);
      if (both.have_degrees()) return {};
    }
  }
  return std::move(found.why_none);
}

}  // namespace

grid_axis make_axis(coordinate_kind kind, std::string name, std::vector<double> values, coordinate_origin from) {
  if (kind == coordinate_kind::longitude) unwrap(values);
  if (values.size() < 2 || !is_strictly_monotonic(values)) return {};
  return {.kind = kind, .name = std::move(name), .values = std::move(values), .from = std::move(from)};
}

grid_axes find_axes(const grid_of_object& grid, std::span<const slice::extent> dimensions, failure& why) {
  why = {};
  std::vector<grid_axis> out(dimensions.size());
  std::vector<bool> is_taken(dimensions.size());
  descriptor found;
  for_each_named(
      grid.in, grid.of, [&](const object& other) { return may_be_coordinates(other, dimensions, found); },
      [&](const object& other, const known_name& known) {
        const auto dimension = find_dimension(known, found.shape()[0], dimensions, is_taken);
        if (!dimension) return true;
        const slice::extent& e = dimensions[*dimension];
        if (auto values = numbers_of(other, {{e}}); values && values->size() == e.size)
          out[*dimension] = make_axis(known.kind, std::string(known.label), std::move(*values),
                                      {coordinate_source::object, other.index(), {}});
        is_taken[*dimension] = out[*dimension].kind != coordinate_kind::index || e.size == 1;
        return true;
      });
  grid_obstacle obstacle = use_metadata(grid, dimensions, out, why);
  return {.axes = std::move(out), .obstacle = std::move(obstacle)};
}

}  // namespace tgmap::grids
