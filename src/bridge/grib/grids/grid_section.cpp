// SPDX-License-Identifier: Apache-2.0
#include "bridge/grib/grids/grid_section.hpp"

#include <cmath>

#include "bridge/grib/grids/row_points.hpp"
#include "bridge/grib/sections/numbers.hpp"

namespace tgmap::bridge::grib {

namespace {

/// Returns the signed integer of `Count` bytes, whose highest bit is its sign.
template <std::size_t Count>
double signed_number(byte_view bytes, std::size_t at) noexcept {
  constexpr std::uint64_t sign = std::uint64_t{1} << (8 * Count - 1);
  const std::uint64_t stored = big_endian<Count>(bytes, at);
  const auto magnitude = static_cast<double>(stored & (sign - 1));
  return (stored & sign) != 0 ? -magnitude : magnitude;
}

std::optional<grid_template> template_of_edition_1(unsigned type) noexcept {
  switch (type) {
    case 0: return grid_template::latitude_longitude;
    case 1: return grid_template::mercator;
    case 3: return grid_template::lambert_conformal;
    case 4: return grid_template::gaussian;
    case 5: return grid_template::polar_stereographic;
    case 10: return grid_template::rotated_latitude_longitude;
    case 14: return grid_template::rotated_gaussian;
    case 90: return grid_template::space_view;
    default: return std::nullopt;
  }
}

/// The position of the scanning mode in a template of GRIB 2, and the size of the section up to a list of rows.
struct template_layout {
  std::size_t scanning, size;
};

std::optional<template_layout> layout_of(std::uint64_t number) noexcept {
  switch (static_cast<grid_template>(number)) {
    case grid_template::latitude_longitude:
    case grid_template::gaussian: return template_layout{71, 72};
    case grid_template::rotated_latitude_longitude:
    case grid_template::rotated_gaussian: return template_layout{71, 84};
    case grid_template::mercator: return template_layout{59, 72};
    case grid_template::polar_stereographic: return template_layout{64, 65};
    case grid_template::lambert_conformal: return template_layout{64, 81};
    case grid_template::space_view: return template_layout{63, 80};
    case grid_template::lambert_azimuthal: return template_layout{63, 64};
    case grid_template::healpix: return template_layout{41, 42};
  }
  return std::nullopt;
}

bool has_area(grid_template kind) noexcept {
  return kind == grid_template::latitude_longitude || kind == grid_template::rotated_latitude_longitude ||
         kind == grid_template::gaussian || kind == grid_template::rotated_gaussian;
}

bool is_rotated(grid_template kind) noexcept {
  return kind == grid_template::rotated_latitude_longitude || kind == grid_template::rotated_gaussian;
}

/// Reads the lengths of the rows that are listed from `at` on. Returns false if they exceed the section.
bool read_rows(grid_section& out, std::size_t at, std::size_t bytes_each) {
  if (at > out.bytes.size() || out.rows == 0 || out.rows > (out.bytes.size() - at) / bytes_each) return false;
  for (std::uint64_t row = 0; row < out.rows; ++row, at += bytes_each) {
    std::uint32_t length = 0;
    for (std::size_t i = 0; i < bytes_each; ++i) length = length << 8U | octet(out.bytes, at + i);
    out.row_lengths.push_back(length);
  }
  return total_points(out.row_lengths) >= out.points;  // rows of an area list whole circles
}

bool fits(const grid_area& area) noexcept {
  constexpr double pole = 90, circle = 360;
  return std::fabs(area.first_latitude) <= pole + area.precision &&
         std::fabs(area.last_latitude) <= pole + area.precision && std::fabs(area.first_longitude) <= circle &&
         std::fabs(area.last_longitude) <= circle;
}

bool read_area_2(grid_section& out) noexcept {
  const std::uint64_t basic = big_endian<4>(out.bytes, 38), parts = big_endian<4>(out.bytes, 42);
  const bool is_usual = basic == 0 || basic == missing_4 || parts == 0 || parts == missing_4;
  const double unit = is_usual ? 1e-6 : static_cast<double>(basic) / static_cast<double>(parts);
  if (unit > 1) return false;  // no grid is that coarse
  const auto degrees = [&](std::size_t at) {
    // A division gives the double next to the decimal number.
    return is_usual ? signed_number<4>(out.bytes, at) / 1e6 : signed_number<4>(out.bytes, at) * unit;
  };
  out.area = {degrees(46), degrees(50), degrees(55), degrees(59), unit};
  out.number = big_endian<4>(out.bytes, 67);
  if (is_rotated(out.kind)) out.rotation = {degrees(72), degrees(76), ieee_float(out.bytes, 80)};
  constexpr double pole = 90, circle = 360;
  return fits(out.area) && std::fabs(out.rotation.latitude) <= pole + unit &&
         std::fabs(out.rotation.longitude) <= circle;
}

std::optional<grid_section> read_edition_2(grid_section out, bool& is_damaged) {
  constexpr std::size_t header = 14;
  if (out.bytes.size() < header || octet(out.bytes, 4) != 3 || octet(out.bytes, 5) != 0) return std::nullopt;
  const auto layout = layout_of(big_endian<2>(out.bytes, 12));
  if (!layout) return std::nullopt;
  is_damaged = true;
  if (out.bytes.size() < layout->size || big_endian<4>(out.bytes, 6) != out.points) return std::nullopt;
  out.kind = static_cast<grid_template>(big_endian<2>(out.bytes, 12));
  out.scanning.flags = static_cast<std::uint8_t>(octet(out.bytes, layout->scanning));
  if (out.kind == grid_template::healpix) {
    constexpr std::uint64_t usual_meridian = 45'000'000;
    out.number = big_endian<4>(out.bytes, 31);
    is_damaged = false;
    return big_endian<4>(out.bytes, 35) == usual_meridian ? std::optional(std::move(out)) : std::nullopt;
  }
  const std::uint64_t columns = big_endian<4>(out.bytes, 30);
  out.rows = big_endian<4>(out.bytes, 34);
  if (has_area(out.kind) && !read_area_2(out)) return std::nullopt;
  const std::size_t bytes_each = octet(out.bytes, 10);
  if (bytes_each != 0) {
    const bool are_points_of_circles = octet(out.bytes, 11) == 1 && columns == missing_4;
    if (!has_area(out.kind) || !are_points_of_circles) is_damaged = false;
    if (!is_damaged || bytes_each > 4 || !read_rows(out, layout->size, bytes_each)) return std::nullopt;
  } else {
    out.columns = columns;
    if (out.rows == 0 || columns != out.points / out.rows || out.points % out.rows != 0) return std::nullopt;
  }
  is_damaged = false;
  return out;
}

std::optional<grid_section> read_edition_1(grid_section out, bool& is_damaged) {
  constexpr std::size_t header = 32, rotated_header = 42;
  if (out.bytes.size() < 6) return std::nullopt;
  const auto kind = template_of_edition_1(octet(out.bytes, 5));
  if (!kind) return std::nullopt;
  is_damaged = true;
  out.kind = *kind;
  if (out.bytes.size() < (is_rotated(out.kind) ? rotated_header : header)) return std::nullopt;
  out.scanning.flags = static_cast<std::uint8_t>(octet(out.bytes, 27) & 0xE0U);
  const std::uint64_t columns = big_endian<2>(out.bytes, 6);
  out.rows = big_endian<2>(out.bytes, 8);
  const auto degrees = [&](std::size_t at) { return signed_number<3>(out.bytes, at) / 1e3; };
  if (has_area(out.kind)) {
    out.area = {degrees(10), degrees(13), degrees(17), degrees(20), 1e-3};
    if (!fits(out.area)) return std::nullopt;
    out.number = big_endian<2>(out.bytes, 25);
  }
  if (is_rotated(out.kind)) out.rotation = {degrees(32), degrees(35), ibm_float(out.bytes, 38)};
  if (columns == missing_2) {
    const std::size_t vertical = octet(out.bytes, 3), lists = octet(out.bytes, 4);
    if (!has_area(out.kind) || lists == 0 || lists == 255 || !read_rows(out, lists - 1 + 4 * vertical, 2))
      return std::nullopt;
  } else {
    out.columns = columns;
    if (columns * out.rows != out.points) return std::nullopt;
  }
  is_damaged = false;
  return out;
}

}  // namespace

byte_view find_grid_section(byte_view sections, unsigned& edition, bool& is_damaged) noexcept {
  constexpr std::size_t indicator_1 = 8, indicator_2 = 16;
  edition = 0;
  is_damaged = true;
  if (sections.size() < indicator_1 || big_endian<4>(sections, 0) != 0x47524942) return {};  // "GRIB"
  edition = octet(sections, 7);
  if (edition == 1) {
    constexpr std::size_t least = 28;
    byte_view rest = sections.subspan(indicator_1);
    if (rest.size() < least) return {};
    const std::uint64_t product = big_endian<3>(rest, 0);
    const bool has_grid = (octet(rest, 7) & 0x80U) != 0;
    if (product < least || product > rest.size()) return {};
    rest = rest.subspan(static_cast<std::size_t>(product));
    if (has_grid && (rest.size() < 3 || big_endian<3>(rest, 0) > rest.size())) return {};
    is_damaged = false;
    return has_grid ? rest.first(static_cast<std::size_t>(big_endian<3>(rest, 0))) : byte_view();
  }
  if (edition != 2) return {};
  constexpr std::size_t header = 5;
  for (std::size_t at = indicator_2; at < sections.size();) {
    const byte_view rest = sections.subspan(at);
    if (rest.size() < header) return {};
    const std::uint64_t size = big_endian<4>(rest, 0);
    if (size < header || size > rest.size()) return {};
    if (octet(rest, 4) == 3) {
      is_damaged = false;
      return rest.first(static_cast<std::size_t>(size));
    }
    at += static_cast<std::size_t>(size);
  }
  is_damaged = sections.size() < indicator_2;
  return {};
}

std::optional<grid_section> read_grid_section(byte_view bytes, unsigned edition, std::uint64_t points,
                                              bool& is_damaged) {
  is_damaged = false;
  grid_section out{.edition = edition, .bytes = bytes, .points = points};
  return edition == 1 ? read_edition_1(std::move(out), is_damaged) : read_edition_2(std::move(out), is_damaged);
}

}  // namespace tgmap::bridge::grib
