// SPDX-License-Identifier: Apache-2.0
#include "bridge/grib/sections/grid_shape.hpp"

#include <boost/test/unit_test.hpp>

#include "bridge/grib/sections/section_digest.hpp"
#include "grib_files.hpp"

using namespace tgmap_test;
using namespace tgmap::bridge::grib;
using tgmap::failure;
using tgmap::bridge::errc;

namespace {

grid_shape shape_of(const bytes& message) {
  failure why;
  const grid_shape out = read_grid_shape(fields_of(span_of(message))[0], why);
  BOOST_REQUIRE_MESSAGE(!why, why.text());
  return out;
}

failure shape_error(const bytes& message) {
  failure why;
  BOOST_TEST(read_grid_shape(fields_of(span_of(message))[0], why).points == 0u);
  BOOST_TEST(static_cast<bool>(why));
  return why;
}

// A message of GRIB 2 with another section 3.
bytes with_grid(const std::string& section) {
  const bytes good = grib_file("simple_12");
  const field from = fields_of(span_of(good))[0];
  const auto at = static_cast<std::size_t>(from.sections[3].data() - from.message.data());
  bytes out = good.substr(0, at) + section + good.substr(at + from.sections[3].size());
  put(out, at, section.size(), 4);
  put(out, 8, out.size(), 8);
  return out;
}

// A section 3 of `size` bytes with 12 columns and 7 rows, the scanning mode at `scanning`.
std::string grid_section(unsigned number, std::size_t size, std::size_t scanning, unsigned flags) {
  bytes out(size, '\0');
  out[4] = 3;
  put(out, 6, 84, 4);
  put(out, 12, number, 2);
  put(out, 30, 12, 4);
  put(out, 34, 7, 4);
  out[scanning] = static_cast<char>(flags);
  return out;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(grib_grid_shape)

BOOST_AUTO_TEST_CASE(rows_and_columns_are_those_of_eccodes) {
  for (const expected_field& row : expected_fields()) {
    BOOST_TEST_CONTEXT(row.file << " field " << row.number) {
      const bytes content = grib_file(row.file);
      const field from = fields_of(span_of(content)).at(row.number);
      failure why;
      const grid_shape found = read_grid_shape(from, why);
      BOOST_REQUIRE_MESSAGE(!why, why.text());
      BOOST_TEST(found.points == static_cast<std::uint64_t>(row.integer("numberOfDataPoints")));
      BOOST_TEST(points_of(from, why) == found.points);
      const auto columns = row.integer_if_any("Ni"), rows = row.integer_if_any("Nj");
      if (!columns || !rows) {
        BOOST_TEST((found.rank == 1 && found.extents[0] == found.points));
        continue;
      }
      BOOST_TEST(found.rank == 2u);
      const bool swapped = row.file == "columns";
      BOOST_TEST(found.extents[swapped ? 1 : 0] == static_cast<std::uint64_t>(*rows));
      BOOST_TEST(found.extents[swapped ? 0 : 1] == static_cast<std::uint64_t>(*columns));
    }
  }
}

BOOST_AUTO_TEST_CASE(templates_have_their_scanning_modes_where_the_manual_says) {
  struct place {
    unsigned number;
    std::size_t size, scanning;
  };
  // Octet 72 of the section is byte 71, and so on.
  for (const place& each : {place{0, 72, 71}, {1, 84, 71},   {2, 84, 71},   {3, 96, 71},  {4, 120, 47}, {5, 132, 47},
                            {10, 72, 59},     {12, 84, 59},  {13, 88, 59},  {20, 65, 64}, {23, 81, 64}, {30, 81, 64},
                            {31, 81, 64},     {33, 97, 64},  {40, 72, 71},  {41, 84, 71}, {42, 84, 71}, {43, 96, 71},
                            {90, 80, 63},     {110, 57, 56}, {140, 64, 63}, {204, 72, 71}}) {
    BOOST_TEST_CONTEXT("template 3." << each.number) {
      grid_shape found = shape_of(with_grid(grid_section(each.number, each.size, each.scanning, 0x40)));
      BOOST_TEST((found.template_number == each.number && found.rank == 2));
      BOOST_TEST((found.extents == std::array<std::uint64_t, 2>{7, 12}));
      BOOST_TEST((found.has_scanning_mode && found.scanning.flags == 0x40 && found.scanning.j_increases()));
      found = shape_of(with_grid(grid_section(each.number, each.size, each.scanning, 0x20)));
      BOOST_TEST((found.extents == std::array<std::uint64_t, 2>{12, 7}));
      if (each.number == 4 || each.number == 5) continue;  // lists follow the template
      const failure why =
          shape_error(with_grid(grid_section(each.number, each.size, each.scanning, 0x40).substr(0, each.size - 1)));
      BOOST_TEST((why.code == errc::section_too_short && why.expected == each.size && why.found == each.size - 1));
    }
  }
}

BOOST_AUTO_TEST_CASE(scanning_modes_have_names) {
  const scanning_mode backwards{0x90};
  BOOST_TEST((backwards.i_decreases() && !backwards.j_increases() && !backwards.j_is_consecutive()));
  BOOST_TEST((backwards.rows_alternate() && !backwards.has_offsets()));
  BOOST_TEST((scanning_mode{0x08}.has_offsets() && scanning_mode{0x20}.j_is_consecutive()));
}

BOOST_AUTO_TEST_CASE(other_templates_are_lists_of_points) {
  for (const unsigned number : {50U, 63U, 100U, 101U, 120U, 150U, 32768U}) {
    const grid_shape found = shape_of(with_grid(grid_section(number, 40, 39, 0)));
    BOOST_TEST((found.rank == 1 && found.points == 84 && found.extents[0] == 84 && !found.has_scanning_mode));
  }
}

// NCEP's rotated grids of Arakawa's kinds B and E.
BOOST_AUTO_TEST_CASE(local_templates_belong_to_a_centre) {
  for (const unsigned number : {32768U, 32769U}) {
    bytes message = with_grid(grid_section(number, number == 32768 ? 72 : 80, 71, 0x40));
    BOOST_TEST(shape_of(message).rank == 1u);
    put_in_section(message, 1, 5, 7, 2);
    const grid_shape found = shape_of(message);
    BOOST_TEST((found.rank == 2 && found.scanning.flags == 0x40));
    BOOST_TEST((found.extents == std::array<std::uint64_t, 2>{7, 12}));
  }
}

BOOST_AUTO_TEST_CASE(rows_and_columns_must_give_the_points) {
  for (const std::size_t at : {6U, 30U, 34U}) {
    bytes changed = grib_file("simple_12");
    put_in_section(changed, 3, at, 0xFFFFFFFE, 4);
    BOOST_TEST((shape_error(changed).code == errc::grid_points));
  }
  bytes changed = grib_file("simple_12");
  put_in_section(changed, 3, 34, 30, 4);
  const failure why = shape_error(changed);
  BOOST_TEST((why.code == errc::grid_points && why.expected == 496 && why.found == 480 && why.offset == 37));
}

BOOST_AUTO_TEST_CASE(rows_of_reduced_grids_are_listed) {
  bytes content = grib_file("reduced_gaussian");
  grid_shape found = shape_of(content);
  BOOST_TEST((found.is_reduced && !found.has_partial_rows && found.row_length_bytes == 2));
  BOOST_REQUIRE(found.row_lengths.size() == 2u * 64);
  BOOST_TEST((view_of(found.row_lengths.first(6)) == std::string("\0\x14\0\x1b\0\x24", 6)));  // 20, 27, 36 points
  BOOST_TEST((found.points == 6114 && found.rank == 1 && found.template_number == 40));

  // Of an area, GRIB lists whole circles.
  put_in_section(content, 3, 6, 3000, 4);
  found = shape_of(content);
  BOOST_TEST((found.has_partial_rows && found.points == 3000));
  put_in_section(content, 3, 6, 6115, 4);
  failure why = shape_error(content);
  BOOST_TEST((why.code == errc::grid_points && why.expected == 6115 && why.found == 6114));
  put_in_section(content, 3, 34, 65, 4);
  why = shape_error(content);
  BOOST_TEST((why.code == errc::section_too_short && why.expected == 202 && why.found == 200));
  put_in_section(content, 3, 34, 0xFFFFFFFF, 4);
  BOOST_TEST((shape_error(content).code == errc::section_too_short));
  put_in_section(content, 3, 10, 9, 1);
  BOOST_TEST((shape_error(content).code == errc::bad_parameter));

  const bytes old = grib_file("edition_1_levels");  // the list follows that of levels
  found = shape_of(old);
  BOOST_TEST((found.is_reduced && found.points == 6114 && !found.has_partial_rows));
  BOOST_TEST((view_of(found.row_lengths.first(6)) == std::string("\0\x14\0\x1b\0\x24", 6)));
}

BOOST_AUTO_TEST_CASE(areas_of_reduced_grids_in_edition_1_need_a_count) {
  bytes content = grib_file("edition_1_reduced");
  put_in_section(content, 2, 20, 180'000, 3);  // to 180 degrees east: the constant field says nowhere how many points
  BOOST_TEST((shape_error(content).code == errc::grid_points));
  put_in_section(content, 2, 13, 0x800000 + 180'000, 3);
  put_in_section(content, 2, 20, 177'187, 3);
  BOOST_TEST(shape_of(content).points == 6114u);
  put_in_section(content, 2, 8, 65535, 2);
  BOOST_TEST((shape_error(content).code == errc::section_too_short));
}

BOOST_AUTO_TEST_CASE(truncations_give_numbers_of_coefficients) {
  // Counted one by one: m up to M, n from m to the lower of J + m and K.
  const auto count = [](std::uint64_t j, std::uint64_t k, std::uint64_t m_max) {
    std::uint64_t out = 0;
    for (std::uint64_t m = 0; m <= std::min(m_max, k); ++m) out += std::min(j + m, k) - m + 1;
    return 2 * out;
  };
  bytes content = grib_file("edition_1_spectral");
  BOOST_TEST(shape_of(content).points == 132u);
  for (const std::uint64_t j : {1, 5, 10, 21})
    for (const std::uint64_t k : {1, 5, 10, 30})
      for (const std::uint64_t m : {1, 5, 10, 40}) {
        put_in_section(content, 2, 6, j, 2);
        put_in_section(content, 2, 8, k, 2);
        put_in_section(content, 2, 10, m, 2);
        BOOST_TEST(shape_of(content).points == count(j, k, m), j << " " << k << " " << m);
      }
}

BOOST_AUTO_TEST_CASE(fields_of_edition_1_without_a_grid_have_their_values) {
  const auto without_grid = [](const std::string& name) {
    const bytes good = grib_file(name);
    const field from = fields_of(span_of(good))[0];
    const auto at = static_cast<std::size_t>(from.sections[2].data() - from.message.data());
    bytes out = good.substr(0, at) + good.substr(at + from.sections[2].size());
    out[15] = static_cast<char>(out[15] & 0x7F);
    put(out, 4, out.size(), 3);
    return out;
  };
  grid_shape found = shape_of(without_grid("edition_1_16"));
  BOOST_TEST((found.points == 496 && found.rank == 1 && found.template_number == 255));
  found = shape_of(without_grid("edition_1_bitmap"));
  BOOST_TEST(found.points == 496u);
  BOOST_TEST((shape_error(without_grid("edition_1_constant")).code == errc::grid_points));
}

BOOST_AUTO_TEST_CASE(digests_tell_keys_and_grids_apart) {
  const auto keys = [](const bytes& content) { return digest_of_keys(fields_of(span_of(content))[0]); };
  const auto grid = [](const bytes& content) { return digest_of_grid(fields_of(span_of(content))[0]); };
  for (const char* name : {"simple_12", "edition_1_12"}) {
    const bytes good = grib_file(name);
    const bool is_new = good == grib_file("simple_12");
    // Date, grid and product or level change the keys, only the grid changes that digest; data and packing change none.
    bytes changed = good;
    put_in_section(changed, 1, is_new ? 13 : 12, 9, 1);
    BOOST_TEST((keys(changed) != keys(good) && grid(changed) == grid(good)));
    changed = good;
    put_in_section(changed, is_new ? 3 : 2, is_new ? 47 : 11, 9, 1);
    BOOST_TEST((keys(changed) != keys(good) && grid(changed) != grid(good)));
    changed = good;
    put_in_section(changed, is_new ? 4 : 1, 10, 99, 1);
    BOOST_TEST((keys(changed) != keys(good) && grid(changed) == grid(good)));
    changed = good;
    put_in_section(changed, is_new ? 7 : 4, 20, 99, 1);
    BOOST_TEST((keys(changed) == keys(good) && grid(changed) == grid(good)));
  }
  bytes other = grib_file("simple_12");
  other[6] = 10;  // discipline
  BOOST_TEST((keys(other) != keys(grib_file("simple_12")) && grid(other) == grid(grib_file("simple_12"))));
  BOOST_TEST((grid(grib_file("simple_12")) == grid(grib_file("ccsds_12"))));
}

BOOST_AUTO_TEST_SUITE_END()
