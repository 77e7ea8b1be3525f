// SPDX-License-Identifier: Apache-2.0
#include "picture/terminal/wrapped_text.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(wrapped_texts)

BOOST_AUTO_TEST_CASE(lines_end_between_facts_or_else_between_words) {
  using tgmap::picture::wrapped_text;
  BOOST_TEST(wrapped_text("min 1   max 2", 20) == "min 1   max 2\n");
  BOOST_TEST(wrapped_text("min 1   max 2", 12) == "min 1\nmax 2\n");
  BOOST_TEST(wrapped_text("one two three   four", 9) == "one two\nthree\nfour\n");
  BOOST_TEST(wrapped_text("unbreakable word", 4) == "unbreakable\nword\n");
  BOOST_TEST(wrapped_text("°°°°   °", 8) == "°°°°   °\n");
}

BOOST_AUTO_TEST_SUITE_END()
