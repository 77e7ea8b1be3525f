// SPDX-License-Identifier: Apache-2.0
#include "picture/coordinates.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>

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
                                          std::span<const slice::extent> dimensions, std::span<const axis> axes) {
  for (const std::size_t i : search_order(known.preferred, dimensions.size()))
    if (dimensions[i].full_size == length && axes[i].kind == axis_kind::index) return i;
  return std::nullopt;
}

/// Reads "90/0/-90/359.75", or an array of four numbers.
std::optional<std::array<double, 4>> area_of(const object& o) {
  failure why;
  const auto found = o.metadata(why).find("mars.area");
  if (!found) return std::nullopt;
  std::array<double, 4> out{};
  if (found->kind() == cbor_kind::array) {
    if (found->size() != out.size()) return std::nullopt;
    for (std::size_t i = 0; i < out.size(); ++i) {
      const auto number = found->at(i) ? found->at(i)->get<double>() : std::nullopt;
      if (!number) return std::nullopt;
      out[i] = *number;
    }
    return out;
  }
  const std::string text = found->text();
  const char* at = text.data();
  const char* const end = text.data() + text.size();
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto [next, problem] = std::from_chars(at, end, out[i]);
    const bool last = i + 1 == out.size();
    if (problem != std::errc{} || (last ? next != end : next == end || *next != '/')) return std::nullopt;
    at = next + 1;
  }
  return out;
}

std::vector<double> evenly_spaced(double from, double to, const slice::extent& part) {
  std::vector<double> out;
  const double step = part.full_size < 2 ? 0 : (to - from) / static_cast<double>(part.full_size - 1);
  for (std::uint64_t i = 0; i < part.size; ++i) out.push_back(from + static_cast<double>(part.index(i)) * step);
  return out;
}

/// Gives two dimensions the degrees of a regular grid.
void use_area(const object& object, std::span<const slice::extent> dimensions, std::span<axis> axes) {
  const auto area = area_of(object);
  if (!area || dimensions[0].size > max_values || dimensions[1].size > max_values) return;
  const auto [north, west, south, east] = *area;
  const bool is_valid =
      std::abs(north) <= 90 && std::abs(south) <= 90 && std::abs(west) <= 360 && std::abs(east) <= 360;
  if (!is_valid) return;
  if (axes[0].kind == axis_kind::index)
    axes[0] = make_axis(axis_kind::latitude, "latitude", dimensions[0].begin,
                        evenly_spaced(north, south, dimensions[0]), dimensions[0].step);
  if (axes[1].kind == axis_kind::index)
    axes[1] = make_axis(axis_kind::longitude, "longitude", dimensions[1].begin,
                        evenly_spaced(west, east < west ? east + 360 : east, dimensions[1]), dimensions[1].step);
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

std::vector<axis> find_axes(const message& in, const object& of, std::span<const slice::extent> dimensions) {
  std::vector<axis> out;
  for (const slice::extent& each : dimensions) out.push_back(make_index_axis(each.begin, each.size, each.step));
  descriptor found;
  for_each_named(
      in, of, [&](const object& other) { return may_be_coordinates(other, dimensions, found); },
      [&](const object& other, const known_name& known) {
        const auto dimension = find_dimension(known, found.shape()[0], dimensions, out);
        if (!dimension) return true;
        const slice::extent& e = dimensions[*dimension];
        auto values = coordinates_of(other, e);
        if (values.size() == e.size)
          out[*dimension] = make_axis(known.kind, std::string(known.label), e.begin, std::move(values), e.step);
        return true;
      });
  if (out.size() >= 2) use_area(of, dimensions.last(2), std::span(out).last(2));
  return out;
}

std::vector<axis> find_axes(const message& in, const object& of, const slice& part) {
  std::vector<slice::extent> dimensions;
  for (const std::size_t d : part.axes()) dimensions.push_back(part.dimensions[d]);
  return find_axes(in, of, dimensions);
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
