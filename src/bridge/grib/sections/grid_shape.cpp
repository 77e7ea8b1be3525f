// SPDX-License-Identifier: Apache-2.0
#include "bridge/grib/sections/grid_shape.hpp"

#include "bridge/grib/sections/numbers.hpp"
#include "bridge/grib/sections/section_failure.hpp"

namespace tgmap::bridge::grib {

namespace {

// Where templates of section 3 have their numbers. Spec: WMO Manual on Codes, templates 3.x.
struct grid_template {
  std::uint16_t number;
  std::uint8_t size;      // of the section up to the end of the template, before a list of rows; of 3.4 and 3.5 less
  std::uint8_t scanning;  // position of the flags
};
constexpr std::size_t columns_at = 30, rows_at = 34;
constexpr grid_template grid_templates[] = {
    {0, 72, 71},  {1, 84, 71},   {2, 84, 71},   {3, 96, 71},   {4, 48, 47},     {5, 48, 47},
    {10, 72, 59}, {12, 84, 59},  {13, 88, 59},  {20, 65, 64},  {23, 81, 64},    {30, 81, 64},
    {31, 81, 64}, {33, 97, 64},  {40, 72, 71},  {41, 84, 71},  {42, 84, 71},    {43, 96, 71},
    {90, 80, 63}, {110, 57, 56}, {140, 64, 63}, {204, 72, 71}, {32768, 72, 71}, {32769, 80, 71},
};

void set_list(grid_shape& out) noexcept {
  out.rank = 1;
  out.extents = {out.points, 0};
}

// Rows and columns must give the number of points.
bool set_rows(grid_shape& out, std::uint64_t columns, std::uint64_t rows, const field& from, byte_view section,
              failure& why) noexcept {
  if (columns * rows != out.points) return fail(why, from, section, errc::grid_points, out.points, columns * rows);
  out.rank = 2;
  out.extents = out.scanning.j_is_consecutive() ? std::array{columns, rows} : std::array{rows, columns};
  return true;
}

// Returns the sum of the lengths of rows, and the longest.
struct row_sums {
  std::uint64_t sum = 0, max = 0;
};
row_sums sums_of(byte_view lengths, unsigned bytes_each) noexcept {
  row_sums out;
  for (std::size_t at = 0; at < lengths.size(); at += bytes_each) {
    std::uint64_t each = 0;
    for (unsigned i = 0; i < bytes_each; ++i) each = each << 8U | octet(lengths, at + i);
    out.sum += each;
    if (each > out.max) out.max = each;
  }
  return out;
}

void read_shape_2(grid_shape& out, const field& from, failure& why) noexcept {
  const byte_view section = from.sections[3];
  out.points = big_endian<4>(section, 6);
  out.template_number = static_cast<std::uint16_t>(big_endian<2>(section, 12));
  set_list(out);
  const grid_template* found = nullptr;
  for (const grid_template& each : grid_templates)
    if (each.number == out.template_number) found = &each;
  // Each centre has templates of its own from 32768 on; these two are NCEP's.
  if (found != nullptr && found->number >= 32768 && big_endian<2>(from.sections[1], 5) != 7) found = nullptr;
  if (found == nullptr) return;
  if (!has_bytes(from, section, found->size, why)) return;

  out.has_scanning_mode = true;
  out.scanning.flags = static_cast<std::uint8_t>(octet(section, found->scanning));
  const std::uint64_t columns = big_endian<4>(section, columns_at), rows = big_endian<4>(section, rows_at);
  const unsigned bytes_each = octet(section, 10);
  if (bytes_each == 0) {
    if (columns != missing_4 && rows != missing_4) set_rows(out, columns, rows, from, section, why);
    return;
  }

  if (bytes_each > 4) {
    fail(why, from, section, errc::bad_parameter, 0, bytes_each, "octets of the numbers of points of rows");
    return;
  }
  // Whichever direction has no single number has the list.
  const std::uint64_t listed = rows == missing_4 ? columns : rows;
  if (listed == missing_4 || listed > (section.size() - found->size) / bytes_each) {
    fail(why, from, section, errc::section_too_short, found->size + listed * bytes_each, section.size());
    return;
  }
  out.is_reduced = true;
  out.row_length_bytes = bytes_each;
  out.row_lengths = section.subspan(found->size, listed * bytes_each);
  const std::uint64_t sum = sums_of(out.row_lengths, bytes_each).sum;
  out.has_partial_rows = sum > out.points;
  if (sum < out.points) fail(why, from, section, errc::grid_points, out.points, sum);
}

// Returns the number of coefficients, two for each complex one, of a pentagonal truncation with m <= M and
// n <= min(J + m, K).
std::uint64_t coefficients(std::uint64_t j, std::uint64_t k, std::uint64_t m) noexcept {
  if (m > k) m = k;
  const std::uint64_t sloped = k > j ? (m < k - j ? m : k - j) : 0;  // up to this m rows have J + 1
  std::uint64_t out = k > j ? (sloped + 1) * (j + 1) : k + 1;
  const std::uint64_t rest = m - (m < sloped ? m : sloped);  // rows of K - m + 1 each
  out += rest * (k - sloped) - rest * (rest - (rest != 0 ? 1 : 0)) / 2;
  return 2 * out;
}

// Returns the number of values of a data section of GRIB 1 in simple packing, 0 for others.
std::uint64_t coded_values_1(byte_view data) noexcept {
  const unsigned flags = octet(data, 3), bits = octet(data, 10);
  if ((flags & 0xD0U) != 0 || bits == 0) return 0;
  const std::uint64_t stored = 8 * std::uint64_t{data.size() - 11}, unused = flags & 0x0FU;
  return unused > stored ? 0 : (stored - unused) / bits;
}

// Returns the number of points where rows and columns do not give it: bits of the bitmap, or values.
std::uint64_t counted_points_1(const field& from) noexcept {
  const byte_view bits = from.sections[3];
  if (bits.empty()) return coded_values_1(from.sections[4]);
  const std::uint64_t stored = 8 * std::uint64_t{bits.size() - 6}, unused = octet(bits, 3);
  return unused > stored ? 0 : stored - unused;
}

// Returns whether the longest row ends one step before its beginning, in thousandths of a degree.
bool goes_round(byte_view section, std::uint64_t longest_row) noexcept {
  const auto longitude = [&](std::size_t at) {
    const auto stored = static_cast<std::int64_t>(big_endian<3>(section, at));
    return (stored & 0x800000) != 0 ? -(stored & 0x7FFFFF) : stored;
  };
  constexpr std::int64_t circle = 360'000;
  if (longest_row == 0) return false;
  const std::int64_t gap = ((longitude(13) - longitude(20)) % circle + circle) % circle;
  const std::int64_t step = circle / static_cast<std::int64_t>(longest_row);
  return gap <= step + step / 4 + 1;
}

void read_reduced_shape_1(grid_shape& out, const field& from, failure& why) noexcept {
  const byte_view section = from.sections[2];
  const std::uint64_t rows = big_endian<2>(section, 8);
  const unsigned lists_at = octet(section, 4);
  const std::size_t at = (lists_at == 255 || lists_at == 0 ? 32 : lists_at - 1) + 4 * std::size_t{octet(section, 3)};
  if (!has_bytes(from, section, at + 2 * rows, why)) return;
  out.is_reduced = true;
  out.row_length_bytes = 2;
  out.row_lengths = section.subspan(at, 2 * rows);
  const row_sums sums = sums_of(out.row_lengths, 2);
  const std::uint64_t counted = counted_points_1(from);
  // Rows of an area list whole circles. Without values nothing else says how many points it has.
  out.points = counted != 0 ? counted : sums.sum;
  out.has_partial_rows = sums.sum > out.points;
  set_list(out);
  // Up to 15 bits of a data section are padding, more than one value of few bits.
  if (sums.sum < out.points && out.points - sums.sum < 16 && from.sections[3].empty()) {
    out.points = sums.sum;
    set_list(out);
  } else if (sums.sum < out.points || (counted == 0 && !goes_round(section, sums.max))) {
    fail(why, from, section, errc::grid_points, out.points, sums.sum);
  }
}

void read_shape_1(grid_shape& out, const field& from, failure& why) noexcept {
  const byte_view section = from.sections[2];
  out.template_number = section.empty() ? 255 : static_cast<std::uint16_t>(octet(section, 5));
  switch (out.template_number) {
    case 0:
    case 1:
    case 3:
    case 4:
    case 5:
    case 8:
    case 10:
    case 13:
    case 14:
    case 20:
    case 24:
    case 30:
    case 34:
    case 90: {
      if (!has_bytes(from, section, 28, why)) return;
      out.has_scanning_mode = true;
      out.scanning.flags = static_cast<std::uint8_t>(octet(section, 27));
      const std::uint64_t columns = big_endian<2>(section, 6), rows = big_endian<2>(section, 8);
      if (columns == missing_2) return read_reduced_shape_1(out, from, why);
      out.points = columns * rows;
      set_rows(out, columns, rows, from, section, why);
      return;
    }
    case 50:
    case 60:
    case 70:
    case 80:
      if (!has_bytes(from, section, 12, why)) return;
      out.points = coefficients(big_endian<2>(section, 6), big_endian<2>(section, 8), big_endian<2>(section, 10));
      break;
    default:
      out.points = counted_points_1(from);
      if (out.points == 0) fail(why, from, section, errc::grid_points, 0, 0);
  }
  set_list(out);
}

}  // namespace

grid_shape read_grid_shape(const field& from, failure& why) noexcept {
  why = {};
  grid_shape out;
  if (from.edition == 1)
    read_shape_1(out, from, why);
  else
    read_shape_2(out, from, why);
  return why ? grid_shape{} : out;
}

std::uint64_t points_of(const field& from, failure& why) noexcept { return read_grid_shape(from, why).points; }

}  // namespace tgmap::bridge::grib
