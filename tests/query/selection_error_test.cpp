// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <support/failures.hpp>
#include <support/selection_samples.hpp>

using namespace tgmap_test;
using tgmap::errc;
using tgmap::selection_error;

BOOST_AUTO_TEST_SUITE(selection_errors)

namespace {

void refuses(std::string_view text, selection_error error, std::size_t column) {
  tgmap::failure why;
  const auto parsed = tgmap::selection::parse(text, tgmap::selection_syntax::full, why);
  TGMAP_FAILED(why, errc::bad_selection);
  BOOST_TEST(to_string_view(static_cast<selection_error>(why.expected)) == to_string_view(error), text);
  BOOST_TEST(why.found == column, text << ": column " << why.found);
  BOOST_TEST(parsed.selects_all());
  TGMAP_THROWS(tgmap::selection(text), errc::bad_selection);
}

}  // namespace

BOOST_AUTO_TEST_CASE(missing_key) {
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

BOOST_AUTO_TEST_CASE(missing_operator) {
  refuses("a", selection_error::missing_operator, 2);
  refuses("mars.step foo", selection_error::missing_operator, 14);
  refuses("title=sand and gravel", selection_error::missing_operator, 22);
  refuses("a,b=1", selection_error::missing_operator, 2);
  refuses("a(b=1", selection_error::missing_operator, 2);
  refuses("a!b", selection_error::missing_operator, 4);
  refuses("(a)", selection_error::missing_operator, 3);
}

BOOST_AUTO_TEST_CASE(missing_value) {
  refuses("a<", selection_error::missing_value, 3);
  refuses("a>= and b=1", selection_error::reserved_word, 5);
  refuses("(a<)", selection_error::missing_value, 4);
  refuses("a=\"x\"..", selection_error::missing_value, 8);
  if (tgmap::selection::supports_patterns()) refuses("a~", selection_error::missing_value, 3);
}

BOOST_AUTO_TEST_CASE(numbers_in_the_spelling_of_other_programs) {
  refuses("step=0,6", selection_error::number_list, 6);
  refuses("a=1 and step!=0, 6.5,12", selection_error::number_list, 15);
  for (const char* text : {"step=0..=24", "step=0...24", "step=6..", "step=..24"})
    refuses(text, selection_error::range_spelling, 6);
}

BOOST_AUTO_TEST_CASE(to_and_by_need_their_values) {
  const auto refuses_at = [](std::string_view text, std::size_t column) {
    refuses(text, selection_error::range_spelling, column);
  };
  refuses_at("step=0/to", 8);
  refuses_at("step=to/24", 6);
  refuses_at("step=/to/24", 7);
  refuses_at("step=0/to/", 8);
  refuses_at("step=0/to/to/24", 8);
  refuses_at("step=0/to/24/to/48", 14);
  refuses_at("step=0..6/to/24", 11);
  refuses_at("step=0/to/6..24", 8);
  refuses_at("step=a/TO", 8);
  refuses_at("step=1/2/to", 10);
  refuses_at("step!= 0 / to / by", 12);
  refuses_at("step=0/by/6", 8);
  refuses_at("step=by/6", 6);
  refuses_at("step=0/to/24/by", 14);
  refuses_at("step=0/to/24/by/", 17);
  refuses_at("step=0/to/24/by/x", 17);
  refuses_at("step=0/to/24/by/0", 17);
  refuses_at("step=0/to/24/by/0.0", 17);
  refuses_at("step=0/to/24/by/\"6\"", 17);
  refuses_at("step=0/to/24/by/1..2", 17);
  refuses_at("step=0/to/24/by/to/6", 17);
  refuses_at("step=0/to/24/by/6/by/2", 19);
  refuses_at("step=0/to/24/by/6/to/48", 19);
  refuses_at("step=0/to/24/by/inf", 17);
  refuses_at("step=0/to/24/by/1234567890123456789", 17);
  refuses_at("step=a/to/z/by/1", 13);
  refuses_at("step=\"0\"/to/24/by/6", 16);
  refuses_at("a=1 and step=0/to/\"24\"/by/6", 24);
  refuses("step=0,6/to/24", selection_error::number_list, 6);
  refuses("step<0/to/24", selection_error::trailing_text, 7);
}

BOOST_AUTO_TEST_CASE(a_sign_is_no_value) {
  refuses("step<>6", selection_error::missing_value, 6);
  refuses("step=>6", selection_error::missing_value, 6);
  refuses("step = =6", selection_error::missing_value, 8);
  refuses("step===6", selection_error::missing_value, 7);
  refuses("step=<6 and a=1", selection_error::missing_value, 6);
  refuses("step=> 6/7", selection_error::missing_value, 6);
  refuses("a=1 and name=~x", selection_error::missing_value, 14);
}

BOOST_AUTO_TEST_CASE(a_condition_in_a_value_needs_a_word_before_it) {
  refuses("step=6 param=2t", selection_error::trailing_text, 8);
  refuses("step!=6 & param=2t", selection_error::trailing_text, 11);
  refuses("step=6;param=2t", selection_error::trailing_text, 8);
  refuses("step=0..6 param=2t", selection_error::trailing_text, 11);
  refuses("step=6 NOT param=2t", selection_error::trailing_text, 8);
  refuses("step<6 param=2t", selection_error::trailing_text, 8);
}

BOOST_AUTO_TEST_CASE(reserved_words_and_parentheses_need_quotes) {
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

BOOST_AUTO_TEST_CASE(trailing_text) {
  refuses("a=\"x\" y", selection_error::trailing_text, 7);
  refuses("(a=1) b=2", selection_error::trailing_text, 7);
  refuses("a=\"x\", y", selection_error::trailing_text, 6);
  refuses("a<5/6", selection_error::trailing_text, 4);
  refuses("a<1..2", selection_error::trailing_text, 3);
  refuses("has a=1", selection_error::trailing_text, 6);
}

BOOST_AUTO_TEST_CASE(nesting_is_limited) {
  refuses(std::string(100, '(') + "a=1" + std::string(100, ')'), selection_error::too_deep, 101);
  std::string nots;
  for (int i = 0; i < 100000; ++i) nots += "not ";
  refuses(nots + "a=1", selection_error::too_deep, 401);
  refuses(std::string(1000000, '('), selection_error::too_deep, 101);
}

BOOST_AUTO_TEST_CASE(unknown_properties) {
  refuses("@ofset=1", selection_error::unknown_property, 1);
  refuses("a=1 and has @nothing", selection_error::unknown_property, 13);
}

BOOST_AUTO_TEST_CASE(invalid_patterns) {
  if (!tgmap::selection::supports_patterns()) return refuses("a~x", selection_error::unsupported_pattern, 3);
  refuses("a~[", selection_error::bad_pattern, 3);
  refuses("a=1 and b~ \"(\"", selection_error::bad_pattern, 12);
  refuses("a~\"\\1\"", selection_error::bad_pattern, 3);
  refuses("a~(((x{100}){100}){100})", selection_error::bad_pattern, 3);
}

BOOST_AUTO_TEST_CASE(text_of_the_failure) {
  tgmap::failure why;
  (void)tgmap::selection::parse("mars.step", tgmap::selection_syntax::full, why);
  BOOST_TEST(why.text() == "no operator follows the key, at column 10 of the selection");
  BOOST_TEST((why.code == tgmap::condition::usage));
  why = {.code = errc::bad_selection, .expected = 250, .found = 1};
  BOOST_TEST(why.text() == "unknown, at column 1 of the selection");
}

BOOST_AUTO_TEST_CASE(success_clears_the_failure) {
  tgmap::failure why{.code = errc::damaged};
  (void)tgmap::selection::parse("a=1", tgmap::selection_syntax::full, why);
  TGMAP_SUCCEEDED(why);
}

BOOST_AUTO_TEST_SUITE_END()
