// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>

#include "picture/terminal/terminal.hpp"

using namespace tgmap::picture;

BOOST_AUTO_TEST_SUITE(terminal_test)

BOOST_AUTO_TEST_CASE(colours) {
  const auto depth = [](const char* term, const char* colorterm, bool wanted = true) {
    return choose_colour_depth(wanted, {.term = term, .colorterm = colorterm, .locale = ""});
  };
  BOOST_TEST((depth("xterm-256color", "") == colour_depth::indexed));
  BOOST_TEST((depth("xterm", "") == colour_depth::indexed));
  BOOST_TEST((depth("xterm", "truecolor") == colour_depth::truecolour));
  BOOST_TEST((depth("xterm", "24bit") == colour_depth::truecolour));
  BOOST_TEST((depth("xterm-direct", "") == colour_depth::truecolour));
  BOOST_TEST((depth("xterm", "yes") == colour_depth::indexed));
  BOOST_TEST((depth("xterm", "truecolor", false) == colour_depth::none));
}

BOOST_AUTO_TEST_CASE(unicode) {
  const auto supports = [](const char* locale) {
    return supports_unicode({.term = "", .colorterm = "", .locale = locale});
  };
  for (const char* yes : {"", "C.UTF-8", "de_DE.utf8", "en_US.UTF-8@euro"}) BOOST_TEST(supports(yes), yes);
  for (const char* no : {"C", "POSIX", "de_DE", "de_DE.ISO-8859-1"}) BOOST_TEST(!supports(no), no);
}

BOOST_AUTO_TEST_CASE(sequences) {
  BOOST_TEST(colour_sequence({1, 20, 255}, colour_depth::truecolour, true) == "\x1b[38;2;1;20;255m");
  BOOST_TEST(colour_sequence({1, 20, 255}, colour_depth::truecolour, false) == "\x1b[48;2;1;20;255m");
  BOOST_TEST(colour_sequence({255, 255, 255}, colour_depth::indexed, true) == "\x1b[38;5;231m");
  BOOST_TEST(colour_sequence({255, 0, 0}, colour_depth::indexed, false) == "\x1b[48;5;196m");
  BOOST_TEST(colour_sequence({255, 0, 0}, colour_depth::none, false) == "");
}

BOOST_AUTO_TEST_SUITE_END()
