// SPDX-License-Identifier: Apache-2.0
#include "grid/regular_grid.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>
#include <utility>

namespace tgmap::grids {

namespace {

using kinds = grid_obstacle_kind;

constexpr std::string_view regular = "regular_ll";

/// The maps that hold the keys of ecCodes about a grid, by which program wrote the file.
constexpr std::array<std::string_view, 9> grid_places{
    "", "mars.", "grid.", "geometry.", "geography.", "grib.", "grib.geography.", "grib.ls.", "grib_repro."};

/// Reads an array of numbers, or text such as "90/0/-90/359.75". Returns nothing if there are not exactly `Count`.
template <std::size_t Count>
std::optional<std::array<double, Count>> numbers_of(const cbor_view& value) {
  std::array<double, Count> out{};
  if (value.kind() == cbor_kind::array) {
    if (value.size() != Count) return std::nullopt;
    const bool are_numbers = value.visit([&](std::uint64_t i, const cbor_view& each) {
      const auto number = each.get<double>();
      if (!number || i >= Count) return false;
      out[static_cast<std::size_t>(i)] = *number;
      return true;
    });
    return are_numbers ? std::optional(out) : std::nullopt;
  }
  const std::string text = value.text();
  const char* at = text.data();
  const char* const end = text.data() + text.size();
  for (std::size_t i = 0; i < Count; ++i) {
    const auto [next, problem] = std::from_chars(at, end, out[i]);
    const bool last = i + 1 == Count;
    if (problem != std::errc{} || (last ? next != end : next == end || *next != '/')) return std::nullopt;
    at = next + 1;
  }
  return out;
}

/// Returns a value as text: numbers of a list as MARS writes them.
std::string shown(const cbor_view& value) {
  constexpr std::size_t max_shown = 40;
  std::string out;
  const auto add = [&](const cbor_view& each) {
    if (each.kind() != cbor_kind::bytes) out += each.text();
  };
  if (value.kind() == cbor_kind::array)
    value.visit([&](std::uint64_t i, const cbor_view& each) {
      if (i != 0) out += '/';
      add(each);
      return out.size() <= max_shown;
    });
  else
    add(value);
  if (out.size() <= max_shown) return out;
  std::size_t end = max_shown;
  while (end > 0 && (static_cast<unsigned char>(out[end]) & 0xc0) == 0x80) --end;  // not within a character
  return out.substr(0, end) + "…";
}

grid_obstacle obstacle(grid_obstacle_kind kind, std::string_view key, const cbor_view& value) {
  return {.kind = kind, .key = std::string(key), .value = shown(value)};
}

std::string joined(std::string_view place, std::string_view name) { return std::string(place).append(name); }

/// Returns true if a flag of ecCodes is stated and set, false if it is stated and not set.
std::optional<bool> flag(const metadata& keys, std::string_view name) {
  for (const std::string_view place : grid_places) {
    const auto found = keys.find(joined(place, name));
    if (!found) continue;
    if (const auto truth = found->get<bool>()) return truth;
    if (const auto number = found->get<std::int64_t>()) return *number != 0;
  }
  return std::nullopt;
}

/// Returns `n` places over a span of degrees; nothing if they do not have the stated step, or none.
std::optional<even_places> find_places(double first, double last, std::uint64_t n, std::optional<double> stated,
                                       bool may_be_circle) {
  constexpr double circle = 360, rounding = 1e-4;
  const auto count = static_cast<double>(n), gaps = count - 1;
  const double span = std::fabs(last - first);
  const even_places all_around{first, std::copysign(circle, last - first), count};
  const bool is_circle = may_be_circle && std::fabs(span - circle) <= rounding;
  if (stated) {
    // Stated steps may be rounded to thousandths.
    const double slack = std::min(0.0005 * count + rounding, *stated / 4);
    const auto agrees = [&](double steps, double with) { return std::fabs(steps * *stated - with) <= slack; };
    if (!agrees(gaps, span)) return is_circle && agrees(count, circle) ? std::optional(all_around) : std::nullopt;
  } else if (is_circle) {
    return all_around;
  }
  if (n < 2) return span <= rounding ? std::optional(even_places{first}) : std::nullopt;
  return span > 0 ? std::optional(even_places{first, last - first, gaps}) : std::nullopt;
}

/// Returns the key that says that the grid is not regular. `steps` receives those of `mars.grid`.
grid_obstacle other_grid(const metadata& keys, bool& is_regular, std::optional<std::array<double, 2>>& steps) {
  if (const auto grid = keys.find("mars.grid")) {
    steps = numbers_of<2>(*grid);
    const bool are_steps = steps && (*steps)[0] > 0 && (*steps)[1] > 0;
    if (!are_steps && grid->text() != regular) return obstacle(kinds::other_grid, "mars.grid", *grid);
    is_regular = true;
  }
  for (const std::string_view place : grid_places) {
    const std::string key = joined(place, "gridType");
    const auto type = keys.find(key);
    if (!type) continue;
    if (type->text() != regular) return obstacle(kinds::other_grid, key, *type);
    is_regular = true;
  }
  if (const auto rotation = keys.find("mars.rotation")) return obstacle(kinds::other_grid, "mars.rotation", *rotation);
  for (const std::string_view name : {"jPointsAreConsecutive", "alternativeRowScanning"})
    if (is_regular && flag(keys, name).value_or(false)) return {.kind = kinds::other_order, .key = std::string(name)};
  return {};
}

}  // namespace

found_grid find_grid(const metadata& keys, std::span<const std::uint64_t> shape) {
  bool is_regular = false;
  std::optional<std::array<double, 2>> steps;
  const auto none = [](grid_obstacle why) { return found_grid{.grid = std::nullopt, .why_none = std::move(why)}; };
  if (grid_obstacle other = other_grid(keys, is_regular, steps)) return none(std::move(other));

  const auto stated = keys.find("mars.area");
  if (!is_regular) return stated ? none({.kind = kinds::grid_missing}) : found_grid();
  if (!stated) return none({.kind = kinds::area_missing});
  const auto area = numbers_of<4>(*stated);
  if (!area) return none(obstacle(kinds::bad_area, "mars.area", *stated));
  auto [north, west, south, east] = *area;
  const bool is_valid = std::fabs(north) <= 90 && std::fabs(south) <= 90 && std::fabs(west) <= 360 &&
                        std::fabs(east) <= 360 && east - west <= 360;
  if (east < west) east += 360;
  if (!is_valid) return none(obstacle(kinds::bad_area, "mars.area", *stated));
  if (shape.size() < 2) return none({.kind = kinds::too_few_dimensions});

  const std::uint64_t rows = shape[shape.size() - 2], columns = shape.back();
  if (rows == 0 || columns == 0) return {};
  if (const auto up = flag(keys, "jScansPositively"); up && *up == (north > south)) std::swap(north, south);
  if (flag(keys, "iScansNegatively").value_or(false)) std::swap(west, east);
  const auto stated_step = [&](std::size_t i) { return steps ? std::optional((*steps)[i]) : std::nullopt; };
  const auto latitudes = find_places(north, south, rows, stated_step(1), false);
  const auto longitudes = find_places(west, east, columns, stated_step(0), true);
  if (!latitudes || !longitudes) {
    grid_obstacle why = obstacle(kinds::disagreement, "mars.area", *stated);
    why.steps = steps;
    return none(std::move(why));
  }
  return {.grid = regular_grid{*latitudes, *longitudes}};
}

}  // namespace tgmap::grids
