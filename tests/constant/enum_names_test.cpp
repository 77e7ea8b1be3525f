// SPDX-License-Identifier: Apache-2.0
// Enumerators of tensor constants have unique names, from which they are found.
#include <boost/test/unit_test.hpp>
#include <support/enum_checks.hpp>
#include <tgmap/constant/enum_names.hpp>

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(constant_enum_names)

BOOST_AUTO_TEST_CASE(every_enumerator_has_a_name_of_its_own) {
  public_enums enums(std::filesystem::path(TGMAP_SOURCE_DIR) / "include/tgmap/constant");
  enums.check<tgmap::constant::block_order>("block_order");
  enums.check<tgmap::constant::errc>("errc");
  enums.check<tgmap::constant::form>("form");
  enums.check<tgmap::constant::number_style>("number_style");
  BOOST_TEST((tgmap::from_string<tgmap::constant::form>("short-value") == tgmap::constant::form::short_value));
}

BOOST_AUTO_TEST_SUITE_END()
