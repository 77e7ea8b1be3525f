// SPDX-License-Identifier: Apache-2.0
#include "bridge/grib/sections/bitmap.hpp"

#include <boost/test/unit_test.hpp>

#include "bridge/grib/sections/packing.hpp"
#include "grib_files.hpp"

using namespace tgmap_test;
using namespace tgmap::bridge::grib;
using tgmap::failure;
using tgmap::bridge::errc;

namespace {

bitmap bitmap_of(const bytes& message, std::size_t number = 0) {
  failure why;
  const bitmap out = read_bitmap(fields_of(span_of(message)).at(number), why);
  BOOST_REQUIRE_MESSAGE(!why, why.text());
  return out;
}

failure bitmap_error(const bytes& message) {
  failure why;
  const bitmap out = read_bitmap(fields_of(span_of(message))[0], why);
  BOOST_TEST((why && !out.present && out.points == 0 && out.bits.empty()));
  return why;
}

// make_grib.py leaves out these points.
bool has_value(std::size_t point) { return point % 7 != 3 && (point < 100 || point >= 140); }

}  // namespace

BOOST_AUTO_TEST_SUITE(grib_bitmap)

BOOST_AUTO_TEST_CASE(bits_are_those_that_were_written) {
  for (const char* name : {"simple_bitmap", "ccsds_bitmap", "ieee_64", "edition_1_bitmap"}) {
    const bytes content = grib_file(name);
    const bitmap found = bitmap_of(content);
    BOOST_REQUIRE(found.present);
    BOOST_TEST((found.points == 496 && found.values == 391));
    BOOST_REQUIRE(found.bits.size() == 62u);
    for (std::size_t i = 0; i < 496; ++i)
      BOOST_REQUIRE(((static_cast<unsigned char>(found.bits[i / 8]) >> (7 - i % 8) & 1) != 0) == has_value(i));
  }
  for (const char* name : {"simple_all_missing", "edition_1_all_missing"}) {
    const bytes content = grib_file(name);
    const bitmap found = bitmap_of(content);
    BOOST_TEST((found.present && found.points == 496 && found.values == 0));
  }
}

BOOST_AUTO_TEST_CASE(without_a_bitmap_all_points_have_values) {
  const bytes content = grib_file("simple_16");
  const bitmap found = bitmap_of(content);
  BOOST_TEST((!found.present && found.points == 496 && found.values == 496 && found.bits.empty()));
}

BOOST_AUTO_TEST_CASE(fields_share_bitmaps) {
  const bytes content = grib_file("several_fields");
  const bitmap first = bitmap_of(content, 0), second = bitmap_of(content, 1);
  BOOST_TEST((second.present && second.values == 391 && second.bits.data() == first.bits.data()));
  BOOST_TEST(!bitmap_of(content, 2).present);
  BOOST_TEST((bitmap_of(content, 3).bits.data() != first.bits.data()));
}

BOOST_AUTO_TEST_CASE(padding_does_not_count) {
  // 16 columns of 31 rows become 13 of 38: 494 points, whose last byte has two bits of padding.
  bytes changed = grib_file("simple_bitmap");
  put_in_section(changed, 3, 6, 494, 4);
  put_in_section(changed, 3, 30, 13, 4);
  put_in_section(changed, 3, 34, 38, 4);
  BOOST_TEST(bitmap_of(changed).values == 389u);  // points 494 and 495 had values
  bytes old = grib_file("edition_1_bitmap");
  put_in_section(old, 2, 6, 13, 2);
  put_in_section(old, 2, 8, 38, 2);
  put_in_section(old, 3, 3, 2, 1);
  BOOST_TEST(bitmap_of(old).values == 389u);
}

BOOST_AUTO_TEST_CASE(bitmaps_have_a_bit_for_each_point) {
  bytes changed = grib_file("simple_bitmap");
  put_in_section(changed, 3, 6, 480, 4);
  put_in_section(changed, 3, 34, 30, 4);
  failure why = bitmap_error(changed);
  BOOST_TEST((why.code == errc::bitmap_length && why.expected == 480 && why.found == 496));
  BOOST_TEST(why.offset == 143u + 21);  // section 6
  put_in_section(changed, 3, 6, 512, 4);
  put_in_section(changed, 3, 34, 32, 4);
  BOOST_TEST((bitmap_error(changed).code == errc::bitmap_length));

  bytes old = grib_file("edition_1_bitmap");
  put_in_section(old, 3, 3, 8, 1);
  why = bitmap_error(old);
  BOOST_TEST((why.code == errc::bitmap_length && why.expected == 496 && why.found == 488));
  put_in_section(old, 3, 3, 255, 1);
  BOOST_TEST((bitmap_error(old).code == errc::bitmap_length));
}

BOOST_AUTO_TEST_CASE(predefined_bitmaps_are_not_here) {
  bytes changed = grib_file("simple_bitmap");
  put_in_section(changed, 6, 5, 3, 1);
  failure why = bitmap_error(changed);
  BOOST_TEST((why.code == errc::predefined_bitmap && why.found == 3));
  BOOST_TEST((why.code == tgmap::condition::unsupported));
  bytes old = grib_file("edition_1_bitmap");
  put_in_section(old, 3, 4, 700, 2);
  why = bitmap_error(old);
  BOOST_TEST((why.code == errc::predefined_bitmap && why.found == 700));
}

BOOST_AUTO_TEST_SUITE_END()
