// SPDX-License-Identifier: Apache-2.0
// Enumerators of ZIO have unique names, from which they are found.
#include <boost/test/unit_test.hpp>
#include <support/enum_checks.hpp>
#include <tgmap/zio/enum_names.hpp>

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(zio_enum_names)

BOOST_AUTO_TEST_CASE(every_enumerator_has_a_name_of_its_own) {
  public_enums enums(std::filesystem::path(TGMAP_SOURCE_DIR) / "include/tgmap/zio");
  enums.check<tgmap::zio::errc>("errc");
  enums.check<tgmap::zio::flow_event>("flow_event");
  enums.check<tgmap::zio::flow_role>("flow_role");
  enums.check<tgmap::zio::flow_side>("flow_side");
  enums.check<tgmap::zio::flow_state>("flow_state");
  enums.check<tgmap::zio::level>("level");
  enums.check<tgmap::zio::socket_kind>("socket_kind");
  BOOST_TEST((tgmap::from_string<tgmap::zio::level>("warning") == tgmap::zio::level::warning));
  BOOST_TEST((tgmap::from_string<tgmap::zio::socket_kind>("dealer") == tgmap::zio::socket_kind::dealer));
}

BOOST_AUTO_TEST_SUITE_END()
