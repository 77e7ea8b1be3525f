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

BOOST_AUTO_TEST_SUITE_END()
