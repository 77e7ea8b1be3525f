// SPDX-License-Identifier: Apache-2.0
// Enumerators of the bridge have unique names, from which they are found.
#include <boost/test/unit_test.hpp>
#include <support/enum_checks.hpp>
#include <tgmap/bridge/enum_names.hpp>

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(bridge_enum_names)

BOOST_AUTO_TEST_CASE(every_enumerator_has_a_name_of_its_own) {
  public_enums enums(std::filesystem::path(TGMAP_SOURCE_DIR) / "include/tgmap/bridge");
  enums.check<tgmap::bridge::errc>("errc");
  enums.check<tgmap::bridge::native_grid_obstacle>("native_grid_obstacle");
}

BOOST_AUTO_TEST_CASE(errors_have_texts_with_their_numbers_and_conditions) {
  tgmap::failure why;
  why.code = tgmap::bridge::errc::section_too_long;
  why.offset = 16;
  why.expected = 20;
  why.found = 900;
  BOOST_TEST(why.text() == "a GRIB section of 900 bytes exceeds the 20 bytes left in its message (offset 0x10)");
  BOOST_TEST((why.code == tgmap::condition::corrupt));
  BOOST_TEST((make_error_code(tgmap::bridge::errc::message_truncated) == tgmap::condition::truncated));
  BOOST_TEST((make_error_code(tgmap::bridge::errc::message_too_large) == tgmap::condition::limit));
  BOOST_TEST((make_error_code(tgmap::bridge::errc::predefined_bitmap) == tgmap::condition::unsupported));
}

BOOST_AUTO_TEST_SUITE_END()
