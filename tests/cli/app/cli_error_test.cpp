// SPDX-License-Identifier: Apache-2.0
#include "cli/app/cli_error.hpp"

#include <boost/test/unit_test.hpp>
#include <cerrno>

BOOST_AUTO_TEST_SUITE(next_steps)

using namespace tgmap::cli;
using tgmap::errc;

BOOST_AUTO_TEST_CASE(every_failure_has_a_next_step) {
  for (int code = 1; code <= 200; ++code) {
    const std::string step = next_step({.code = tgmap::make_error_code(static_cast<errc>(code))}, "f.tgm");
    BOOST_TEST(!step.empty());
    BOOST_TEST(step.back() != '.');
  }
  for (int number = 1; number < 130; ++number)
    BOOST_TEST(!next_step({.code = {number, std::system_category()}}, "f.tgm").empty());
  BOOST_TEST(!next_step({.code = std::make_error_code(std::errc::io_error)}, "f.tgm").empty());
}

BOOST_AUTO_TEST_CASE(next_steps_fit) {
  BOOST_TEST(next_step({.code = errc::out_of_range}, "f.tgm") == "run `tgmap ls f.tgm` to see what there is");
  BOOST_TEST(next_step({.code = {ENOENT, std::system_category()}}, "f.tgm") == "check the name");
  BOOST_TEST(next_step({.code = errc::unsupported_strides}, "f").find("--as-stored") != std::string::npos);
  BOOST_TEST(next_step({.code = errc::compressed}, "f").find("--stored") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
