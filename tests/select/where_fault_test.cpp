// SPDX-License-Identifier: Apache-2.0
// Text that is no selection: what is wrong, and the column where.
#include <boost/test/unit_test.hpp>
#include <support/failures.hpp>

#include "samples.hpp"

using namespace tgmap_test;
using tgmap::errc;
using tgmap::where_fault;

BOOST_AUTO_TEST_SUITE(faults)

namespace {

void refuses(std::string_view text, where_fault fault, std::size_t column) {
  tgmap::failure why;
  const auto read = tgmap::where::parse(text, tgmap::where_reading::full, why);
  TGMAP_FAILED(why, errc::bad_where);
  BOOST_TEST(name(static_cast<where_fault>(why.expected)) == name(fault), text);
  BOOST_TEST(why.found == column, text << ": column " << why.found);
  BOOST_TEST(read.everything());
  TGMAP_THROWS(tgmap::where(text), errc::bad_where);
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_key_is_missing) {
  refuses("", where_fault::key_missing, 1);
  refuses("   ", where_fault::key_missing, 4);
  refuses("=1", where_fault::key_missing, 1);
  refuses("a=1 and", where_fault::key_missing, 8);
  refuses("a=1 and and b=2", where_fault::key_missing, 9);
  refuses("a=1 or =2", where_fault::key_missing, 8);
  refuses("not", where_fault::key_missing, 4);
  refuses("()", where_fault::key_missing, 2);
  refuses("has", where_fault::key_missing, 4);
  refuses("has and a=1", where_fault::key_missing, 5);
  refuses("and=1 and b=1 or or", where_fault::key_missing, 18);
}

BOOST_AUTO_TEST_CASE(an_operator_is_missing) {
  refuses("a", where_fault::operator_missing, 2);
  refuses("mars.step foo", where_fault::operator_missing, 14);
  refuses("title=sand and gravel", where_fault::operator_missing, 22);
  refuses("a,b=1", where_fault::operator_missing, 2);
  refuses("a(b=1", where_fault::operator_missing, 2);
  refuses("a!b", where_fault::operator_missing, 4);
  refuses("(a)", where_fault::operator_missing, 3);
}

BOOST_AUTO_TEST_CASE(a_value_is_missing) {
  refuses("a<", where_fault::value_missing, 3);
  refuses("a>= and b=1", where_fault::word_reserved, 5);
  refuses("(a<)", where_fault::value_missing, 4);
  refuses("a=\"x\"..", where_fault::value_missing, 8);
  if (tgmap::where::has_patterns()) refuses("a~", where_fault::value_missing, 3);
}

BOOST_AUTO_TEST_CASE(words_and_parentheses_take_quotes) {
  refuses("a=and", where_fault::word_reserved, 3);
  refuses("a= and b=1", where_fault::word_reserved, 4);
  refuses("a=x/or", where_fault::word_reserved, 5);
  refuses("a=it has wings", where_fault::word_reserved, 6);
  refuses("a=why not", where_fault::word_reserved, 7);
  refuses("a=f(x)", where_fault::word_reserved, 4);
}

BOOST_AUTO_TEST_CASE(quotes_and_parentheses_are_closed) {
  refuses("a=\"x", where_fault::quote_open, 3);
  refuses("a='it''s", where_fault::quote_open, 3);
  refuses("\"a=1", where_fault::quote_open, 1);
  refuses("a=1 and (b=2", where_fault::parenthesis_open, 9);
  refuses("((a=1)", where_fault::parenthesis_open, 1);
  refuses("a=1)", where_fault::parenthesis_lone, 4);
  refuses("(a=1))", where_fault::parenthesis_lone, 6);
  if (tgmap::where::has_patterns()) refuses("a~(x", where_fault::parenthesis_open, 3);
}

BOOST_AUTO_TEST_CASE(nothing_stands_behind_a_whole_condition) {
  refuses("a=\"x\" y", where_fault::text_behind, 7);
  refuses("(a=1) b=2", where_fault::text_behind, 7);
  refuses("a=\"x\", y", where_fault::text_behind, 6);
  refuses("a<5/6", where_fault::text_behind, 4);
  refuses("a<1..2", where_fault::text_behind, 3);
  refuses("has a=1", where_fault::text_behind, 6);
}

BOOST_AUTO_TEST_CASE(nesting_has_an_end) {
  refuses(std::string(100, '(') + "a=1" + std::string(100, ')'), where_fault::too_deep, 101);
  std::string nots;
  for (int i = 0; i < 100000; ++i) nots += "not ";
  refuses(nots + "a=1", where_fault::too_deep, 401);
  refuses(std::string(1000000, '('), where_fault::too_deep, 101);
}

BOOST_AUTO_TEST_CASE(facts_have_names) {
  refuses("@ofset=1", where_fault::unknown_fact, 1);
  refuses("a=1 and has @nothing", where_fault::unknown_fact, 13);
}

BOOST_AUTO_TEST_CASE(patterns_that_cannot_be_read) {
  if (!tgmap::where::has_patterns()) return refuses("a~x", where_fault::pattern_unsupported, 3);
  refuses("a~[", where_fault::pattern_unreadable, 3);
  refuses("a=1 and b~ \"(\"", where_fault::pattern_unreadable, 12);
  refuses("a~\"\\1\"", where_fault::pattern_unreadable, 3);
  refuses("a~(((x{100}){100}){100})", where_fault::pattern_unreadable, 3);
}

BOOST_AUTO_TEST_CASE(a_failure_says_it_in_one_line) {
  tgmap::failure why;
  (void)tgmap::where::parse("mars.step", tgmap::where_reading::full, why);
  BOOST_TEST(why.text() == "no operator follows the key, at column 10 of the selection");
  BOOST_TEST((why.code == tgmap::condition::usage));
  why = {.code = errc::bad_where, .expected = 250, .found = 1};
  BOOST_TEST(why.text() == "unknown, at column 1 of the selection");
}

BOOST_AUTO_TEST_CASE(a_failure_is_emptied_first) {
  tgmap::failure why{.code = errc::damaged};
  (void)tgmap::where::parse("a=1", tgmap::where_reading::full, why);
  TGMAP_SUCCEEDED(why);
}

BOOST_AUTO_TEST_SUITE_END()
