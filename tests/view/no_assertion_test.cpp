// SPDX-License-Identifier: Apache-2.0
// Without debugging, assertions are not evaluated.
#undef _GLIBCXX_ASSERTIONS
#undef NDEBUG
#define NDEBUG
#include <tgmap/export.hpp>

// The checks of the standard library are off here, and nothing of this file is shared with others.
#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(no_assertion_test)

BOOST_AUTO_TEST_CASE(a_condition_is_not_evaluated) {
  int evaluated = 0;
  TGMAP_ASSERT(++evaluated == 7);
  BOOST_TEST(evaluated == 0);
}

BOOST_AUTO_TEST_SUITE_END()
