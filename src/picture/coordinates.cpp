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

constexpr std::size_t most_objects = 10'000, most_metadata = 64;
constexpr std::uint64_t most_values = std::uint64_t{1} << 24;  // held in memory, as doubles

enum class side : std::uint8_t { first, last, any };

struct known_name {
  std::string_view name;
  std::string_view label;
  axis_kind kind;
  side goes_to;
};

constexpr std::array known_names{
    known_name{"lat", "latitude", axis_kind::latitude, side::first},
    known_name{"latitude", "latitude", axis_kind::latitude, side::first},
    known_name{"lon", "longitude", axis_kind::longitude, side::last},
    known_name{"longitude", "longitude", axis_kind::longitude, side::last},
    known_name{"x", "x", axis_kind::number, side::last},
    known_name{"y", "y", axis_kind::number, side::first},
    known_name{"time", "time", axis_kind::number, side::any},
    known_name{"level", "level", axis_kind::number, side::any},
    known_name{"pressure", "pressure", axis_kind::number, side::any},
    known_name{"height", "height", axis_kind::number, side::any},
    known_name{"depth", "depth", axis_kind::number, side::any},
    known_name{"frequency", "frequency", axis_kind::number, side::any},
    known_name{"step", "step", axis_kind::number, side::any},
};

const known_name* find_name(std::string_view text) {
  std::string name(text);
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
  for (const known_name& known : known_names)
    if (name == known.name || name == std::string(known.name) + "s") return &known;
  return nullptr;
}

/// Whether an object may hold coordinates of one of these dimensions; its descriptor alone is read.
bool may_fit(const object& o, std::span<const slice::extent> dimensions, descriptor& what) {
  failure why;
  what = o.descriptor(why);
  if (why || what.shape().size() != 1) return false;
  return std::any_of(dimensions.begin(), dimensions.end(),
                     [&](const slice::extent& e) { return e.whole == what.shape()[0] && e.size <= most_values; });
}

/// Empty when they cannot be decoded: a field without coordinates is shown all the same.
std::vector<double> numbers_of(const object& o, const slice::extent& part) {
  std::vector<double> out;
  try {
    load_field(
        o, {{{part.begin, part.size, part.whole, false}}}, {},
        [&](std::uint64_t, std::span<const double> numbers) { out.insert(out.end(), numbers.begin(), numbers.end()); });
  } catch (const error&) {
    out.clear();
  }
  return out;
}

/// The dimension, of those drawn, that a coordinate of that name and length belongs to.
std::optional<std::size_t> place_for(const known_name& known, std::uint64_t length,
                                     std::span<const slice::extent> dimensions, std::span<const axis> axes) {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < dimensions.size(); ++i) {
    if (dimensions[i].whole != length || axes[i].kind != axis_kind::index) continue;
    if (!found || known.goes_to == side::last) found = i;
  }
  return found;
}

/// "90/0/-90/359.75", or an array of four numbers.
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

std::vector<double> evenly(double from, double to, const slice::extent& part) {
  std::vector<double> out;
  const double step = part.whole < 2 ? 0 : (to - from) / static_cast<double>(part.whole - 1);
  for (std::uint64_t i = part.begin; i < part.begin + part.size; ++i)
    out.push_back(from + static_cast<double>(i) * step);
  return out;
}

void use_area(const object& of, std::span<const slice::extent> dimensions, std::span<axis> axes) {
  const auto area = area_of(of);
  if (!area || dimensions[0].size > most_values || dimensions[1].size > most_values) return;
  const auto [north, west, south, east] = *area;
  const bool sound = std::abs(north) <= 90 && std::abs(south) <= 90 && std::abs(west) <= 360 && std::abs(east) <= 360;
  if (!sound) return;
  if (axes[0].kind == axis_kind::index)
    axes[0] = axis_of(axis_kind::latitude, "latitude", dimensions[0].begin, evenly(north, south, dimensions[0]));
  if (axes[1].kind == axis_kind::index)
    axes[1] = axis_of(axis_kind::longitude, "longitude", dimensions[1].begin,
                      evenly(west, east < west ? east + 360 : east, dimensions[1]));
}

}  // namespace

std::vector<axis> axes_of(const message& in, const object& of, const slice& part) {
  std::vector<slice::extent> dimensions;
  std::vector<axis> out;
  for (const std::size_t d : part.axes()) {
    dimensions.push_back(part.dimensions[d]);
    out.push_back(index_axis(dimensions.back().begin, dimensions.back().size));
  }

  failure why;
  const std::size_t objects = std::min(in.size(why), most_objects);
  std::size_t looked_up = 0;
  for (std::size_t j = 0; j < objects && looked_up < most_metadata; ++j) {
    if (j == of.index()) continue;
    const object other = in.at(j, why);
    descriptor what;
    if (why || !may_fit(other, dimensions, what)) continue;
    ++looked_up;
    const auto name = other.metadata(why).get<std::string_view>("name");
    const known_name* const known = name ? find_name(*name) : nullptr;
    const auto place = known != nullptr ? place_for(*known, what.shape()[0], dimensions, out) : std::nullopt;
    if (!place) continue;
    const slice::extent& e = dimensions[*place];
    auto values = numbers_of(other, e);
    if (values.size() == e.size)
      out[*place] = axis_of(known->kind, std::string(known->label), e.begin, std::move(values));
  }
  if (out.size() == 2) use_area(of, dimensions, out);
  return out;
}

}  // namespace tgmap::picture
