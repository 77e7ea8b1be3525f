// SPDX-License-Identifier: Apache-2.0
#include "cli/app/report.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(exit_statuses)

using namespace tgmap::cli;

BOOST_AUTO_TEST_CASE(failed_comes_before_damaged_before_fine) {
  using enum exit_status;
  BOOST_TEST((combine(fine, fine) == fine));
  BOOST_TEST((combine(fine, damaged) == damaged));
  BOOST_TEST((combine(damaged, fine) == damaged));
  BOOST_TEST((combine(damaged, failed) == failed));
  BOOST_TEST((combine(failed, fine) == failed));
}

BOOST_AUTO_TEST_CASE(failures_have_addresses) {
  const tgmap::failure in_object{.code = tgmap::errc::encoded, .offset = 16, .message = 3, .object = 0};
  BOOST_TEST(address_of("f.tgm", in_object) == "f.tgm:3:0");
  BOOST_TEST(address_of("f.tgm", {.code = tgmap::errc::encoded, .message = 3}) == "f.tgm:3");
  BOOST_TEST(address_of("f.tgm", {.code = tgmap::errc::encoded}) == "f.tgm");
  BOOST_TEST(address_of("f.tgm", {.code = tgmap::errc::encoded, .object = 1}) == "f.tgm");
  BOOST_TEST(text_without_address(in_object).ends_with(" (offset 0x10)"));
  BOOST_TEST(text_without_address(in_object).find("message") == std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
