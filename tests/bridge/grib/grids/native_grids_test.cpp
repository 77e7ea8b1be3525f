// SPDX-License-Identifier: Apache-2.0
// Degrees by keys, and by sections that are made here. Expected degrees are those of ecCodes' tables and of the WMO's
// manual.
#include <atomic>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <thread>

#include "grid_object.hpp"

using namespace tgmap_test;
using obstacle = tgmap::bridge::native_grid_obstacle;
using tgmap::bridge::native_grids;

BOOST_AUTO_TEST_SUITE(native_grids_test)

namespace {

bool is_near(double a, double b) { return std::fabs(a - b) < 1e-9; }

/// Numbers of a section of latitudes and longitudes, of GRIB 2.
struct section_numbers {
  std::uint64_t points, columns, rows;
  std::int64_t first_latitude, first_longitude, last_latitude, last_longitude;  // millionths of a degree
  unsigned kind = 0, scanning = 0, step = 0, number = 0;
  bytes more{};  // rotation, or rows
  unsigned row_bytes = 0;
};

bytes signed_number(std::int64_t n) {
  return big_endian(static_cast<std::uint64_t>(n < 0 ? -n : n) | (n < 0 ? 0x80000000U : 0U), 4);
}

/// Returns sections 0, 1 and 3 of a message.
bytes sections_of(const section_numbers& n) {
  bytes grid = bytes("\x03\x00", 2) + big_endian(n.points, 4) + big_endian(n.row_bytes, 1) +
               big_endian(n.row_bytes != 0 ? 1 : 0, 1) + big_endian(n.kind, 2) + big_endian(6, 1) + bytes(15, '\xff');
  grid += big_endian(n.columns, 4) + big_endian(n.rows, 4) + big_endian(0, 4) + big_endian(0xFFFFFFFF, 4);
  grid += signed_number(n.first_latitude) + signed_number(n.first_longitude) + big_endian(0x30, 1);
  grid += signed_number(n.last_latitude) + signed_number(n.last_longitude) + big_endian(n.step, 4);
  grid += big_endian(n.number, 4) + big_endian(n.scanning, 1) + n.more;
  const bytes indicator = bytes("GRIB\0\0\0\x02", 8) + big_endian(500, 8);
  const bytes identification = big_endian(21, 4) + big_endian(1, 1) + bytes(16, '\1');
  return indicator + identification + big_endian(grid.size() + 4, 4) + grid;
}

const section_numbers small_grid{6, 3, 2, 60'000'000, 10'000'000, 50'000'000, 30'000'000};

}  // namespace

BOOST_AUTO_TEST_CASE(octahedral_grids_by_name) {
  const auto found = find_degrees(with_grid("O32"), {4 * 32 * 41}).degrees;
  BOOST_TEST_REQUIRE(found.has_value());
  BOOST_TEST(found->are_points);
  BOOST_TEST_REQUIRE(found->latitudes.size() == 5248U);
  BOOST_TEST(is_near(found->latitudes[0], 87.8637988392326));
  BOOST_TEST(is_near(found->longitudes[1], 18));   // 20 points in the first row
  BOOST_TEST(is_near(found->longitudes[21], 15));  // 24 in the second one
  BOOST_TEST(is_near(found->latitudes[19], found->latitudes[0]));
  BOOST_TEST(is_near(found->latitudes[5247], -87.8637988392326));
  BOOST_TEST(is_near(found->longitudes[5247], 342));
}

BOOST_AUTO_TEST_CASE(regular_gaussian_grids_by_name) {
  const auto found = find_degrees(with_grid("F32"), {5, 64, 128}).degrees;
  BOOST_TEST_REQUIRE(found.has_value());
  BOOST_TEST(!found->are_points);
  BOOST_TEST_REQUIRE(found->latitudes.size() == 64U);
  BOOST_TEST_REQUIRE(found->longitudes.size() == 128U);
  BOOST_TEST(is_near(found->latitudes[31], 1.3953069108194960));
  BOOST_TEST(is_near(found->longitudes[127], 357.1875));
  const auto list = find_degrees(with_grid("F32"), {8192}).degrees;
  BOOST_TEST_REQUIRE(list.has_value());
  BOOST_TEST(list->are_points);
  BOOST_TEST(is_near(list->longitudes[129], 2.8125));
}

BOOST_AUTO_TEST_CASE(names_that_are_no_grids_or_other_ones) {
  const auto why = [](const bytes& base, const std::vector<std::uint64_t>& shape) {
    const grid_result found = find_degrees(base, shape);
    BOOST_TEST(!found.degrees.has_value());
    return found.obstacle;
  };
  BOOST_TEST((why(with_grid("O32"), {5247}) == obstacle::other_size));
  BOOST_TEST((why(with_grid("O99999999"), {5248}) == obstacle::unsupported));
  BOOST_TEST((why(with_grid("H99999999999999999999"), {48}) == obstacle::no_grid));
  BOOST_TEST((why(with_grid("H4294967296"), {48}) == obstacle::other_size));
  BOOST_TEST((why(with_grid("F8192"), {16384, 32768}) == obstacle::too_many_points));
  BOOST_TEST((why(with_grid("F32"), {0, 128}) == obstacle::other_size));
  for (const char* name : {"", "O", "O0", "X32", "O32x", "O-1", "regular_ll", "1/1", "H4_"})
    BOOST_TEST((why(with_grid(name), {5248}) == obstacle::no_grid), name);
  BOOST_TEST((why(cbor::map({}), {5248}) == obstacle::no_grid));
  const bytes area = cbor::map({cbor::key(
      "mars", cbor::map({cbor::key("grid", cbor::text("O32")), cbor::key("area", cbor::text("90/0/0/360"))}))});
  BOOST_TEST((why(area, {5248}) == obstacle::no_grid));
}

BOOST_AUTO_TEST_CASE(healpix_by_name) {
  const auto ring = find_degrees(with_grid("H4"), {192}).degrees;
  const auto nested = find_degrees(with_grid("H4_nested"), {192}).degrees;
  const auto stated =
      find_degrees(cbor::map({cbor::key("mars", cbor::map({cbor::key("grid", cbor::text("H4")),
                                                           cbor::key("ordering", cbor::text("nested"))}))}),
                   {192})
          .degrees;
  BOOST_TEST_REQUIRE((ring && nested && stated));
  BOOST_TEST(is_near(ring->latitudes[0], 78.28414760510762));
  BOOST_TEST(is_near(nested->latitudes[0], 9.594068226860458));
  BOOST_TEST((stated->latitudes == nested->latitudes));
}

BOOST_AUTO_TEST_CASE(sections_have_rows_and_columns) {
  const auto found = find_degrees(with_sections(sections_of(small_grid)), {2, 3}).degrees;
  BOOST_TEST_REQUIRE(found.has_value());
  BOOST_TEST(!found->are_points);
  BOOST_TEST((found->latitudes == std::vector<double>{60, 50}));
  BOOST_TEST((found->longitudes == std::vector<double>{10, 20, 30}));

  section_numbers around = small_grid;  // across Greenwich
  around.first_longitude = 350'000'000;
  around.last_longitude = 10'000'000;
  BOOST_TEST((find_degrees(with_sections(sections_of(around)), {2, 3}).degrees->longitudes ==
              std::vector<double>{-10, 0, 10}));
  around.scanning = 0x80;  // to the west
  BOOST_TEST((find_degrees(with_sections(sections_of(around)), {2, 3}).degrees->longitudes ==
              std::vector<double>{350, 180, 10}));

  section_numbers by_columns = small_grid;
  by_columns.scanning = 0x20;
  const auto points = find_degrees(with_sections(sections_of(by_columns)), {3, 2}).degrees;
  BOOST_TEST_REQUIRE(points.has_value());
  BOOST_TEST(points->are_points);
  BOOST_TEST((points->latitudes == std::vector<double>{60, 50, 60, 50, 60, 50}));
  BOOST_TEST((points->longitudes == std::vector<double>{10, 10, 20, 20, 30, 30}));
}

BOOST_AUTO_TEST_CASE(rotated_sections_are_on_the_globe) {
  section_numbers rotated{2, 2, 1, 0, 0, 0, 90'000'000, 1};
  const auto at_pole = [&](std::int64_t latitude, std::int64_t longitude) {
    rotated.more = signed_number(latitude) + signed_number(longitude) + bytes(4, '\0');
    return find_degrees(with_sections(sections_of(rotated)), {1, 2}).degrees;
  };
  // The south pole of the grid is 35 degrees south: its equator crosses 10 degrees east at 55 degrees north.
  const auto found = at_pole(-35'000'000, 10'000'000);
  BOOST_TEST_REQUIRE(found.has_value());
  BOOST_TEST(is_near(found->latitudes[0], 55));
  BOOST_TEST(is_near(found->longitudes[0], 10));
  BOOST_TEST(is_near(found->latitudes[1], 0));
  BOOST_TEST(is_near(found->longitudes[1], 100));
  const auto unturned = at_pole(-90'000'000, 0);
  BOOST_TEST(is_near(unturned->latitudes[1], 0));
  BOOST_TEST(is_near(unturned->longitudes[1], 90));
  rotated.more = signed_number(-35'000'000) + signed_number(0) + bytes("\x41\x20\0\0", 4);  // turned by 10 degrees
  BOOST_TEST((find_degrees(with_sections(sections_of(rotated)), {1, 2}).obstacle == obstacle::unsupported));
}

BOOST_AUTO_TEST_CASE(reduced_gaussian_sections_of_a_part_of_the_globe) {
  // The two southern rows of four, of 4 and 2 points in a circle, from 90 to 180 degrees east.
  section_numbers reduced{3, 0xFFFFFFFF, 2, -19'875'719, 90'000'000, -59'444'408, 180'000'000, 40};
  reduced.number = 2;
  reduced.row_bytes = 2;
  reduced.more = bytes("\0\x4\0\x2", 4);
  const auto found = find_degrees(with_sections(sections_of(reduced)), {3});
  BOOST_TEST_REQUIRE(found.degrees.has_value(), to_string_view(found.obstacle));
  BOOST_TEST((found.degrees->longitudes == std::vector<double>{90, 180, 180}));
  BOOST_TEST(is_near(found.degrees->latitudes[1], -19.875719147440901));
  BOOST_TEST(is_near(found.degrees->latitudes[2], -59.444408289166769));
  reduced.more = bytes("\xff\xff\xff\xff", 4);  // rows of many points
  BOOST_TEST((find_degrees(with_sections(sections_of(reduced)), {3}).obstacle == obstacle::unsupported));
  reduced.more = bytes("\0\0\0\1", 4);
  BOOST_TEST((find_degrees(with_sections(sections_of(reduced)), {3}).obstacle == obstacle::damaged));
  reduced.row_bytes = 200;
  BOOST_TEST((find_degrees(with_sections(sections_of(reduced)), {3}).obstacle == obstacle::damaged));
}

BOOST_AUTO_TEST_CASE(sections_that_contradict_the_object_or_themselves) {
  const auto why = [](const section_numbers& n, const std::vector<std::uint64_t>& shape) {
    return find_degrees(with_sections(sections_of(n)), shape).obstacle;
  };
  BOOST_TEST((why(small_grid, {3, 2}) == obstacle::other_size));
  BOOST_TEST((why(small_grid, {7}) == obstacle::damaged));
  section_numbers wrong = small_grid;
  wrong.rows = 3;
  BOOST_TEST((why(wrong, {2, 3}) == obstacle::damaged));
  wrong = small_grid;
  wrong.scanning = 0x40;  // to the north, but the last row is more southern
  BOOST_TEST((why(wrong, {2, 3}) == obstacle::unsupported));
  wrong = small_grid;
  wrong.first_latitude = 91'000'000;
  BOOST_TEST((why(wrong, {2, 3}) == obstacle::damaged));
  wrong = small_grid;
  wrong.kind = 1234;
  BOOST_TEST((why(wrong, {2, 3}) == obstacle::unsupported));
}

BOOST_AUTO_TEST_CASE(damaged_sections_have_no_degrees_or_those_of_all_elements) {
  const bytes whole = sections_of(small_grid);
  const auto check = [&](const bytes& sections) {
    const auto found = find_degrees(with_sections(sections), {2, 3}).degrees;
    if (found) BOOST_TEST(found->latitudes.size() * (found->are_points ? 1 : found->longitudes.size()) == 6U);
    return found.has_value();
  };
  for (std::size_t size = 0; size < whole.size(); ++size) BOOST_TEST(!check(whole.substr(0, size)), size);
  for (std::size_t at = 0; at < whole.size(); ++at)
    for (const unsigned flip : {1U, 0x80U, 0xFFU}) {
      bytes changed = whole;
      changed[at] = static_cast<char>(changed[at] ^ flip);
      check(changed);
    }
  BOOST_TEST((find_degrees(with_sections(bytes((1 << 20) + 1, 'x')), {2, 3}).obstacle == obstacle::damaged));
}

BOOST_AUTO_TEST_CASE(equal_grids_have_one_identity) {
  const auto identity = [](const bytes& base, const std::vector<std::uint64_t>& shape) {
    const bytes data = message({.objects = {bytes_object("x")}, .base = {base}});
    const auto archive = tgmap::archive::from_memory(span_of(data));
    return native_grids().identity(archive[0][0].metadata(), shape);
  };
  const bytes sections = sections_of(small_grid);
  bytes later = sections;
  later[16 + 15] = '\x9';  // another month
  BOOST_TEST((identity(with_sections(sections), {2, 3}) == identity(with_sections(later), {2, 3})));
  BOOST_TEST((identity(with_sections(sections), {2, 3}) != identity(with_sections(sections), {6})));
  BOOST_TEST((identity(with_grid("O32"), {5248}) != identity(with_grid("O48"), {5248})));
  BOOST_TEST(!identity(cbor::map({}), {5248}).has_value());
}

BOOST_AUTO_TEST_CASE(threads_share_what_is_kept) {
  const bytes data = message({.objects = {bytes_object("x")}, .base = {with_grid("O32")}});
  const auto archive = tgmap::archive::from_memory(span_of(data));
  for (const std::uint64_t kept : {std::uint64_t{0}, std::uint64_t{1} << 20}) {
    const native_grids grids({.cache_bytes = kept});
    std::vector<std::thread> threads;
    std::atomic<int> right = 0;
    for (int i = 0; i < 4; ++i)
      threads.emplace_back([&] {
        const std::vector<std::uint64_t> shape{5248};
        tgmap::failure why;
        const auto found = grids.find(archive[0][0].metadata(), shape, why);
        if (found && found->latitudes.size() == 5248) ++right;
      });
    for (auto& each : threads) each.join();
    BOOST_TEST(right == 4);
  }
}

BOOST_AUTO_TEST_SUITE_END()
