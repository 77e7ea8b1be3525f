// SPDX-License-Identifier: Apache-2.0
// Text that is no selection: what is wrong, and the column where.
#include <boost/test/unit_test.hpp>
#include <support/failures.hpp>

#include "samples.hpp"

using namespace tgmap_test;
using tgmap::errc;
using tgmap::selection_error;

BOOST_AUTO_TEST_SUITE(faults)

namespace {

void refuses(std::string_view text, selection_error fault, std::size_t column) {
  tgmap::failure why;
  const auto read = tgmap::selection::parse(text, tgmap::selection_syntax::full, why);
  TGMAP_FAILED(why, errc::bad_selection);
  BOOST_TEST(to_string_view(static_cast<selection_error>(why.expected)) == to_string_view(fault), text);
  BOOST_TEST(why.found == column, text << ": column " << why.found);
  BOOST_TEST(read.selects_all());
  TGMAP_THROWS(tgmap::selection(text), errc::bad_selection);
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_key_is_missing) {
  refuses("", selection_error::missing_key, 1);
  refuses("   ", selection_error::missing_key, 4);
  refuses("=1", selection_error::missing_key, 1);
  refuses("a=1 and", selection_error::missing_key, 8);
  refuses("a=1 and and b=2", selection_error::missing_key, 9);
  refuses("a=1 or =2", selection_error::missing_key, 8);
  refuses("not", selection_error::missing_key, 4);
  refuses("()", selection_error::missing_key, 2);
  refuses("has", selection_error::missing_key, 4);
  refuses("has and a=1", selection_error::missing_key, 5);
  refuses("and=1 and b=1 or or", selection_error::missing_key, 18);
}

BOOST_AUTO_TEST_CASE(an_operator_is_missing) {
  refuses("a", selection_error::missing_operator, 2);
  refuses("mars.step foo", selection_error::missing_operator, 14);
  refuses("title=sand and gravel", selection_error::missing_operator, 22);
  refuses("a,b=1", selection_error::missing_operator, 2);
  refuses("a(b=1", selection_error::missing_operator, 2);
  refuses("a!b", selection_error::missing_operator, 4);
  refuses("(a)", selection_error::missing_operator, 3);
}

BOOST_AUTO_TEST_CASE(a_value_is_missing) {
  refuses("a<", selection_error::missing_value, 3);
  refuses("a>= and b=1", selection_error::reserved_word, 5);
  refuses("(a<)", selection_error::missing_value, 4);
  refuses("a=\"x\"..", selection_error::missing_value, 8);
  if (tgmap::selection::supports_patterns()) refuses("a~", selection_error::missing_value, 3);
}

BOOST_AUTO_TEST_CASE(words_and_parentheses_take_quotes) {
  refuses("a=and", selection_error::reserved_word, 3);
  refuses("a= and b=1", selection_error::reserved_word, 4);
  refuses("a=x/or", selection_error::reserved_word, 5);
  refuses("a=it has wings", selection_error::reserved_word, 6);
  refuses("a=why not", selection_error::reserved_word, 7);
  refuses("a=f(x)", selection_error::reserved_word, 4);
}

BOOST_AUTO_TEST_CASE(quotes_and_parentheses_are_closed) {
  refuses("a=\"x", selection_error::unclosed_quote, 3);
  refuses("a='it''s", selection_error::unclosed_quote, 3);
  refuses("\"a=1", selection_error::unclosed_quote, 1);
  refuses("a=1 and (b=2", selection_error::unclosed_parenthesis, 9);
  refuses("((a=1)", selection_error::unclosed_parenthesis, 1);
  refuses("a=1)", selection_error::unmatched_parenthesis, 4);
  refuses("(a=1))", selection_error::unmatched_parenthesis, 6);
  if (tgmap::selection::supports_patterns()) refuses("a~(x", selection_error::unclosed_parenthesis, 3);
}

BOOST_AUTO_TEST_CASE(nothing_stands_behind_a_whole_condition) {
  refuses("a=\"x\" y", selection_error::trailing_text, 7);
  refuses("(a=1) b=2", selection_error::trailing_text, 7);
  refuses("a=\"x\", y", selection_error::trailing_text, 6);
  refuses("a<5/6", selection_error::trailing_text, 4);
  refuses("a<1..2", selection_error::trailing_text, 3);
  refuses("has a=1", selection_error::trailing_text, 6);
}

BOOST_AUTO_TEST_CASE(nesting_has_an_end) {
  refuses(std::string(100, '(') + "a=1" + std::string(100, ')'), selection_error::too_deep, 101);
  std::string nots;
  for (int i = 0; i < 100000; ++i) nots += "not ";
  refuses(nots + "a=1", selection_error::too_deep, 401);
  refuses(std::string(1000000, '('), selection_error::too_deep, 101);
}

BOOST_AUTO_TEST_CASE(facts_have_names) {
  refuses("@ofset=1", selection_error::unknown_property, 1);
  refuses("a=1 and has @nothing", selection_error::unknown_property, 13);
}

BOOST_AUTO_TEST_CASE(patterns_that_cannot_be_read) {
  if (!tgmap::selection::supports_patterns()) return refuses("a~x", selection_error::unsupported_pattern, 3);
  refuses("a~[", selection_error::bad_pattern, 3);
  refuses("a=1 and b~ \"(\"", selection_error::bad_pattern, 12);
  refuses("a~\"\\1\"", selection_error::bad_pattern, 3);
  refuses("a~(((x{100}){100}){100})", selection_error::bad_pattern, 3);
}

BOOST_AUTO_TEST_CASE(a_failure_says_it_in_one_line) {
  tgmap::failure why;
  (void)tgmap::selection::parse("mars.step", tgmap::selection_syntax::full, why);
  BOOST_TEST(why.text() == "no operator follows the key, at column 10 of the selection");
  BOOST_TEST((why.code == tgmap::condition::usage));
  why = {.code = errc::bad_selection, .expected = 250, .found = 1};
  BOOST_TEST(why.text() == "unknown, at column 1 of the selection");
}

BOOST_AUTO_TEST_CASE(a_failure_is_emptied_first) {
  tgmap::failure why{.code = errc::damaged};
  (void)tgmap::selection::parse("a=1", tgmap::selection_syntax::full, why);
  TGMAP_SUCCEEDED(why);
}

BOOST_AUTO_TEST_SUITE_END()
