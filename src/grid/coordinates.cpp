// SPDX-License-Identifier: Apache-2.0
#include "grid/coordinates.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "grid/coordinate_lists.hpp"
#include "grid/regular_grid.hpp"
#include "picture/field.hpp"

namespace tgmap::picture {

namespace {

constexpr std::size_t max_objects = 10'000, max_lookups = 64;
constexpr std::uint64_t max_values = std::uint64_t{1} << 24;  // in memory as doubles

enum class preference : std::uint8_t { first, last, any };

struct known_name {
  std::string_view name;
  std::string_view label;
  axis_kind kind;
  preference preferred;
};

constexpr std::array known_names{
    known_name{"lat", "latitude", axis_kind::latitude, preference::first},
    known_name{"latitude", "latitude", axis_kind::latitude, preference::first},
    known_name{"lon", "longitude", axis_kind::longitude, preference::last},
    known_name{"longitude", "longitude", axis_kind::longitude, preference::last},
    known_name{"x", "x", axis_kind::number, preference::last},
    known_name{"y", "y", axis_kind::number, preference::first},
    known_name{"time", "time", axis_kind::number, preference::any},
    known_name{"level", "level", axis_kind::number, preference::any},
    known_name{"pressure", "pressure", axis_kind::number, preference::any},
    known_name{"height", "height", axis_kind::number, preference::any},
    known_name{"depth", "depth", axis_kind::number, preference::any},
    known_name{"frequency", "frequency", axis_kind::number, preference::any},
    known_name{"step", "step", axis_kind::number, preference::any},
};

const known_name* find_name(std::string_view text) {
  std::string name(text);
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
  for (const known_name& known : known_names)
    if (name == known.name || name == std::string(known.name) + "s") return &known;
  return nullptr;
}

/// Returns true if an object has the shape of coordinates of one of these dimensions. Reads only its descriptor.
bool may_be_coordinates(const object& o, std::span<const slice::extent> dimensions, descriptor& descriptor) {
  failure why;
  descriptor = o.descriptor(why);
  if (why || descriptor.shape().size() != 1) return false;
  return std::any_of(dimensions.begin(), dimensions.end(), [&](const slice::extent& e) {
    return e.full_size == descriptor.shape()[0] && e.size <= max_values;
  });
}

/// Returns the coordinates; empty if they cannot be decoded, because the field can be shown without them.
std::vector<double> coordinates_of(const object& o, const slice::extent& part) {
  std::vector<double> out;
  try {
    load_field(o, {{part}}, {}, [&](std::uint64_t, std::span<const double> numbers) {
      out.insert(out.end(), numbers.begin(), numbers.end());
    });
  } catch (const error&) {
    out.clear();
  }
  return out;
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

/// Returns the numbers at the indices of a part.
template <class Numbers>
std::vector<double> part_of(const Numbers& whole, const slice::extent& part) {
  std::vector<double> out;
  for (std::uint64_t i = 0; i < part.size; ++i) out.push_back(whole[static_cast<std::size_t>(part.index(i))]);
  return out;
}

/// Gives the rows and columns without coordinates those of lists in the metadata, or of a regular grid. Returns why
/// they get none.
std::string use_metadata(const object& of, std::span<const slice::extent> dimensions, std::span<axis> axes) {
  failure unreadable;
  const metadata keys = of.metadata(unreadable);
  const std::size_t rank = dimensions.size();
  const auto needs = [&](std::size_t d) {
    return axes[d].kind == axis_kind::index && dimensions[d].size <= max_values;
  };
  const auto set = [&](std::size_t d, axis_kind kind, std::vector<double> values) {
    axes[d] = make_axis(kind, kind == axis_kind::latitude ? "latitude" : "longitude", dimensions[d].begin,
                        std::move(values), dimensions[d].step);
  };
  if (rank >= 2)
    for (const auto& [d, kind] : {std::pair(rank - 2, axis_kind::latitude), {rank - 1, axis_kind::longitude}})
      if (needs(d))
        if (const auto all = find_list(keys, kind, dimensions[d].full_size); !all.empty())
          set(d, kind, part_of(all, dimensions[d]));

  std::vector<std::uint64_t> shape;
  for (const slice::extent& each : dimensions) shape.push_back(each.full_size);
  found_grid found = find_grid(keys, shape);
  if (found.grid && needs(rank - 2))
    set(rank - 2, axis_kind::latitude, part_of(found.grid->latitudes, dimensions[rank - 2]));
  if (found.grid && needs(rank - 1))
    set(rank - 1, axis_kind::longitude, part_of(found.grid->longitudes, dimensions[rank - 1]));
  const auto has_degrees = [&](std::size_t d) { return axes[d].kind != axis_kind::index; };
  return rank >= 2 && has_degrees(rank - 2) && has_degrees(rank - 1) ? std::string() : std::move(found.why_none);
}

/// Calls `take` with each other object of the message that `fits`, and its known name, until it returns false.
template <class Fits, class Take>
void for_each_named(const message& in, const object& of, const Fits& fits, const Take& take) {
  failure why;
  const std::size_t objects = std::min(in.size(why), max_objects);
  std::size_t lookups = 0;
  for (std::size_t j = 0; j < objects && lookups < max_lookups; ++j) {
    if (j == of.index()) continue;
    const object other = in.at(j, why);
    if (why || !fits(other)) continue;
    ++lookups;
    const auto name = other.metadata(why).get<std::string_view>("name");
    const known_name* const known = name ? find_name(*name) : nullptr;
    if (known != nullptr && !take(other, *known)) return;
  }
}

}  // namespace

found_axes find_axes(const message& in, const object& of, std::span<const slice::extent> dimensions) {
  std::vector<axis> out;
  for (const slice::extent& each : dimensions) out.push_back(make_index_axis(each.begin, each.size, each.step));
  std::vector<bool> is_taken(dimensions.size());
  descriptor found;
  for_each_named(
      in, of, [&](const object& other) { return may_be_coordinates(other, dimensions, found); },
      [&](const object& other, const known_name& known) {
        const auto dimension = find_dimension(known, found.shape()[0], dimensions, is_taken);
        if (!dimension) return true;
        const slice::extent& e = dimensions[*dimension];
        auto values = coordinates_of(other, e);
        if (values.size() == e.size)
          out[*dimension] = make_axis(known.kind, std::string(known.label), e.begin, std::move(values), e.step);
        is_taken[*dimension] = out[*dimension].kind != axis_kind::index || e.size == 1;
        return true;
      });
  std::string why_no_degrees = use_metadata(of, dimensions, out);
  return {.axes = std::move(out), .why_no_degrees = std::move(why_no_degrees)};
}

found_axes find_axes(const message& in, const object& of, const slice& part) {
  found_axes all = find_axes(in, of, part.dimensions);
  const std::vector<std::size_t> drawn = part.axes();
  const std::size_t rank = all.axes.size();
  const bool lacks_degrees = std::any_of(
      drawn.begin(), drawn.end(), [&](std::size_t d) { return d + 2 >= rank && all.axes[d].kind == axis_kind::index; });
  found_axes out;
  for (const std::size_t d : drawn) out.axes.push_back(std::move(all.axes[d]));
  if (lacks_degrees) out.why_no_degrees = std::move(all.why_no_degrees);
  return out;
}

std::optional<point_coordinates> find_points(const message& in, const object& of) {
  failure why;
  const descriptor field = of.descriptor(why);
  if (why || field.shape().empty()) return std::nullopt;
  std::optional<object> latitudes, longitudes;
  for_each_named(
      in, of,
      [&](const object& other) {
        failure unreadable;
        const descriptor what = other.descriptor(unreadable);
        return !unreadable && std::ranges::equal(what.shape(), field.shape());
      },
      [&](const object& other, const known_name& known) {
        if (known.kind == axis_kind::latitude && !latitudes) latitudes = other;
        if (known.kind == axis_kind::longitude && !longitudes) longitudes = other;
        return !latitudes || !longitudes;
      });
  if (!latitudes || !longitudes) return std::nullopt;
  return point_coordinates{*latitudes, *longitudes};
}

}  // namespace tgmap::picture
