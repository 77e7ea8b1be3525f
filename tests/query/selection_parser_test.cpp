// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <support/failures.hpp>
#include <support/selection_samples.hpp>

using namespace tgmap_test;
using tgmap::errc;
using tgmap::selection_error;

BOOST_AUTO_TEST_SUITE(full_syntax)

namespace {

void reads_as(std::string_view text, std::string_view normal_form) {
  BOOST_TEST(tgmap::selection(text).text() == normal_form, text);
  BOOST_TEST(tgmap::selection(normal_form).text() == normal_form, normal_form);
}

}  // namespace

BOOST_AUTO_TEST_CASE(clauses_of_the_reference_implementation) {
  reads_as("mars.param=2t", "mars.param=2t");
  reads_as("mars.param=2t/10u", "mars.param=2t/10u");
  reads_as("mars.class!=od", "mars.class!=od");
  reads_as("a=", "a=\"\"");
  reads_as("a=/b", "a=\"\"/b");
  reads_as("a=b=c", "a=\"b=c\"");
  reads_as("a=\"=b\"", "a=\"=b\"");
  reads_as("a=hello world", "a=\"hello world\"");
  reads_as("a=x,y", "a=\"x,y\"");
  reads_as("a=<b>", "a=\"<b>\"");
  reads_as("a=5\"", "a=\"5\"\"\"");
  reads_as("my key=1", "\"my key\"=1");
}

BOOST_AUTO_TEST_CASE(blanks_beside_values_count_without_blank_before_the_operator) {
  reads_as("a= x", "a=\" x\"");
  reads_as("a=x ", "a=\"x \"");
  reads_as("a=x / y ", "a=\"x \"/\" y \"");
  reads_as("a= ", "a=\" \"");
  reads_as("a!= x and b= y", "a!=\" x\" and b=\" y\"");
  reads_as("a!= 1 and b= 2 ", "a!=1 and b=2");  // numbers have no blanks
  reads_as("(a=1 )", "a=1");
  reads_as("a=1 ,b=2", "a=1 and b=2");
  reads_as("a= 0 .. 24 ", "a=0..24");
  reads_as("a= \"x\" / 'y' ", "a=x/y");
  reads_as("a<= 1 ", "a<=1");
}

BOOST_AUTO_TEST_CASE(blanks_around_operators_do_not_count) {
  reads_as("  a  =  1  ", "a=1");
  reads_as("a = 1 / 2 .. 3 / x y ", "a=1/2..3/\"x y\"");
  reads_as("a\t>=\n2", "a>=2");
  reads_as("( a=1 )", "a=1");
  reads_as("not  a=1", "not a=1");
  reads_as("has  a ", "has a");
}

BOOST_AUTO_TEST_CASE(operators) {
  reads_as("a<1", "a<1");
  reads_as("a<=1", "a<=1");
  reads_as("a>1", "a>1");
  reads_as("a>=1", "a>=1");
  reads_as("a<-1.5e-3", "a<-1.5e-3");
  reads_as("a<x y", "a<\"x y\"");
  reads_as("a<\"5\"", "a<\"5\"");
  reads_as("a<\"x\"", "a<x");
  reads_as("a!b=1", "\"a!b\"=1");
}

BOOST_AUTO_TEST_CASE(ranges) {
  reads_as("a=0..24", "a=0..24");
  reads_as("a=-5..-1", "a=-5..-1");
  reads_as("a=x..y z", "a=x..\"y z\"");
  reads_as("a=\"1\"..5", "a=\"1\"..5");
  reads_as("a=1..\"5\"", "a=1..\"5\"");
  reads_as("a=\"x\"..'y'", "a=x..y");
  reads_as("a=\"x\" .. \"y\"", "a=x..y");
  reads_as("a=1...\"x\"", "a=1...\"x\"");
  reads_as("a=\"x\"...5", "a=\"x\"...5");
  reads_as("a=\"x.\"..y", "a=\"x.\"..\"y\"");
}

BOOST_AUTO_TEST_CASE(ranges_in_words) {
  reads_as("a=0/to/24", "a=0..24");
  reads_as("a=0/TO/24/BY/6", "a=0/to/24/by/6");
  reads_as("a=0/To/24/bY/06.0", "a=0/to/24/by/06.0");
  reads_as("a=24/to/0/by/-6", "a=24/to/0/by/-6");
  reads_as("a=0..24/by/6", "a=0/to/24/by/6");
  reads_as("a=-1.5/to/1e3/by/.5", "a=-1.5/to/1e3/by/.5");
  reads_as("a!=1/3/to/6/12/to/24/by/6/48/x", "a!=1/3..6/12/to/24/by/6/48/x");
  reads_as("a = 0 / to / 24 / by / 6 / x", "a=0/to/24/by/6/x");
  reads_as("a=0 / to / 24 / by / 6 and b=1", "a=0/to/24/by/6 and b=1");
  reads_as("a=20240101/to/20240131", "a=20240101..20240131");
  reads_as("a=2024-01-01/to/2024-01-31", "a=2024-01-01..2024-01-31");
  reads_as("a=x / to / y z ", "a=x..\"y z\"");
  reads_as("a=\"0\"/to/24", "a=\"0\"..24");
  reads_as("a=\"x\"/to/'to'/\"y\"", "a=x..to/y");
  reads_as("a=\"\"/to/x", "a=\"\"..x");
  reads_as("a=1./to/5", "a=1./to/5");
  reads_as("a=1/to/.5", "a=1/to/.5");
  reads_as("a=0/to/000000000000/by/1", "a=0/to/000000000000/by/1");
  // Text: in quotes, alone, and as a part of a value.
  reads_as("a=to", "a=\"to\"");
  reads_as("a=By or a!=tO", "a=\"By\" or a!=\"tO\"");
  reads_as("a=0/\"to\"/24/'by'/6", "a=0/\"to\"/24/\"by\"/6");
  reads_as("a=x to y/tor/bye", "a=\"x to y\"/tor/bye");
  reads_as("to=1 and by=2", "to=1 and by=2");
  reads_as("a>to", "a>to");
}

BOOST_AUTO_TEST_CASE(quoted_text_is_a_key_or_a_value) {
  BOOST_TEST(tgmap::quote("2t") == "\"2t\"");
  BOOST_TEST(tgmap::quote("") == "\"\"");
  BOOST_TEST(tgmap::quote("say \"x\" / 'y'") == "\"say \"\"x\"\" / 'y'\"");
  for (const std::string text :
       {"2t", "", " ", "a\"b", "\"", "\"\"", "it's", "a/b", "to", "and", "0..24", "(x", "\\", "\xff\n"}) {
    const tgmap::selection wanted(tgmap::quote(text) + "=" + tgmap::quote(text) + "/" + tgmap::quote("x"));
    BOOST_TEST(wanted.keys().at(0).text() == text);
    BOOST_TEST(selected(with_keys({cbor::key("k", cbor::text(text))}), "k=" + tgmap::quote(text)) == "0", text);
  }
}

BOOST_AUTO_TEST_CASE(dots_without_a_range) {
  reads_as("a=..", "a=\"..\"");
  reads_as("a=..b", "a=\"..b\"");
  reads_as("a=b..", "a=\"b..\"");
  reads_as("a=../evil", "a=\"..\"/evil");
  reads_as("a=b...c", "a=\"b...c\"");
  reads_as("a=1..2..3", "a=\"1..2..3\"");
  reads_as("a=\"0..24\"", "a=\"0..24\"");
}

BOOST_AUTO_TEST_CASE(quotes) {
  reads_as("a=\"b c\"", "a=\"b c\"");
  reads_as("a='b c'", "a=\"b c\"");
  reads_as("a='say \"x\"'", "a=\"say \"\"x\"\"\"");
  reads_as("a='it''s'", "a=\"it's\"");
  reads_as("a=\"x/y\"/z", "a=\"x/y\"/z");
  reads_as("a=\"and\"", "a=\"and\"");
  reads_as("a=\" \"", "a=\" \"");
  reads_as("\"a=b\"=c", "\"a=b\"=c");
  reads_as("'and'=1", "\"and\"=1");
  reads_as("has \"not\"", "has \"not\"");
  reads_as("\"\"=1", "\"\"=1");
}

BOOST_AUTO_TEST_CASE(reserved_words_are_whole_words) {
  reads_as("a=android and b=order", "a=android and b=order");
  reads_as("android=1 or orange=2", "android=1 or orange=2");
  reads_as("notes=1", "notes=1");
  reads_as("hash=1", "hash=1");
  reads_as("has=1", "\"has\"=1");
  reads_as("not=1", "\"not\"=1");
  reads_as("a=AND", "a=AND");
  reads_as("a=x-and y", "a=\"x-and y\"");
}

BOOST_AUTO_TEST_CASE(signs_of_programming_languages) {
  reads_as("a==1", "a=1");
  reads_as("a == x/y", "a=x/y");
  reads_as("a=1 && b=2||c=3", "a=1 and b=2 or c=3");
  reads_as("a=1 AND b=2 OR NOT c=3", "a=1 and b=2 or not c=3");
  reads_as("!a=1 && !(b=2)", "not a=1 and not b=2");
  reads_as("HAS a AND b=1", "has a and b=1");
  reads_as("has a && b=1", "has a and b=1");
  reads_as("a<=5 AND b>2", "a<=5 and b>2");
  reads_as("a=1 And b=2 Or Not c=3", "a=1 and b=2 or not c=3");
  reads_as("Has a aNd b=1", "has a and b=1");
  reads_as("a=Rock And Roll", "a=\"Rock And Roll\"");
  if (tgmap::selection::supports_patterns()) reads_as("a~x|y && b=1", "a~\"x|y\" and b=1");
  // Text, unless a condition follows.
  reads_as("a=x && y", "a=\"x && y\"");
  reads_as("a=AT&T", "a=\"AT&T\"");
  reads_as("a=ROCK AND ROLL", "a=\"ROCK AND ROLL\"");
  reads_as("a=x||y", "a=\"x||y\"");
}

BOOST_AUTO_TEST_CASE(numbers_keep_their_spelling) {
  reads_as("a=6.0/06/1e3/0", "a=6.0/06/1e3/0");
  reads_as("a=\"6.0\"", "a=\"6.0\"");
  reads_as("a=\"6\"", "a=6");
  reads_as("a=\"0\"", "a=\"0\"");
  reads_as("a=0/\"to\"/24", "a=0/\"to\"/24");
}

BOOST_AUTO_TEST_CASE(joining) {
  reads_as("a=1 and b=2 and c=3", "a=1 and b=2 and c=3");
  reads_as("a=1 or b=2 and c=3", "a=1 or b=2 and c=3");
  reads_as("(a=1 or b=2) and c=3", "(a=1 or b=2) and c=3");
  reads_as("a=1 and (b=2 and c=3)", "a=1 and (b=2 and c=3)");
  reads_as("not (a=1 or b=2)", "not (a=1 or b=2)");
  reads_as("not not a=1", "not not a=1");
  reads_as("not(a=1)", "not a=1");
  reads_as("(((a=1)))", "a=1");
  reads_as("(a=1)and(b=2)or(c=3)", "a=1 and b=2 or c=3");
  reads_as("has a and not has b", "has a and not has b");
}

BOOST_AUTO_TEST_CASE(comma_before_a_condition_means_and) {
  reads_as("a=1,b=2", "a=1 and b=2");
  reads_as("a=1, b=2 ,c!=3", "a=1 and b=2 and c!=3");
  reads_as("a=1,b<2,c>=3", "a=1 and b<2 and c>=3");
  reads_as("a=Smith, John", "a=\"Smith, John\"");
  reads_as("a=x,y,b=2", "a=\"x,y\" and b=2");
  reads_as("a=1,not b=2", "a=1 and not b=2");
  reads_as("a=1,has b", "a=1 and has b");
  reads_as("a=1,(b=2 or c=3)", "a=1 and (b=2 or c=3)");
  reads_as("a=1,\"b c\"=2", "a=1 and \"b c\"=2");
  reads_as("has a,has b", "has a and has b");
  reads_as("a=\"1\",b=2", "a=1 and b=2");
  reads_as("a=1,", "a=\"1,\"");
}

BOOST_AUTO_TEST_CASE(patterns) {
  if (!tgmap::selection::supports_patterns()) return;
  reads_as("a~^x$", "a~\"^x$\"");
  reads_as("a~(x|y)+ and b=1", "a~\"(x|y)+\" and b=1");
  reads_as("(a~(x|(y z)))", "a~\"(x|(y z))\"");
  reads_as("a~x/y", "a~\"x/y\"");
  reads_as("a~\\(x", "a~\"\\(x\"");
  reads_as("a~x, y", "a~\"x, y\"");
  reads_as("a~x{1,2},b=1", "a~\"x{1,2}\" and b=1");
  reads_as("a~(x and y)", "a~\"(x and y)\"");
  reads_as("a~''", "a~\"\"");
}

BOOST_AUTO_TEST_CASE(one_hundred_levels) {
  const std::string open(99, '('), close(99, ')');
  reads_as(open + "a=1" + close, "a=1");
  std::string nots;
  for (int i = 0; i < 99; ++i) nots += "not ";
  reads_as(nots + "a=1", nots + "a=1");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(single_clause_syntax)

namespace {

tgmap::selection plain(std::string_view text) { return tgmap::selection(text, tgmap::selection_syntax::single_clause); }

void reads_as(std::string_view text, std::string_view normal_form) {
  BOOST_TEST(plain(text).text() == normal_form, text);
  BOOST_TEST(tgmap::selection(normal_form).text() == normal_form, normal_form);
}

}  // namespace

BOOST_AUTO_TEST_CASE(all_but_the_first_operator_and_slashes_is_text) {
  reads_as("mars.param=2t/10u", "mars.param=2t/10u");
  reads_as("mars.class!=od", "mars.class!=od");
  reads_as("a=b and c=d", "a=\"b and c=d\"");
  reads_as("a=\"b\"", "a=\"\"\"b\"\"\"");
  reads_as("a=0..24", "a=\"0..24\"");
  reads_as("a=0/to/24/by/6", "a=\"0\"/\"to\"/24/\"by\"/6");
  reads_as("a=(b)", "a=\"(b)\"");
  reads_as("a = b ", "\"a \"=\" b \"");
  reads_as("a=", "a=\"\"");
  reads_as("a=x//y/", "a=x/\"\"/y/\"\"");
  reads_as("=x", "\"\"=x");
  reads_as("a>=5", "\"a>\"=5");
  reads_as("not a=1", "\"not a\"=1");
}

BOOST_AUTO_TEST_CASE(unequal_is_found_before_equal) {
  reads_as("a=b!=c", "\"a=b\"!=c");
  reads_as("a!=b=c", "a!=\"b=c\"");
}

BOOST_AUTO_TEST_CASE(clause_without_operator) {
  for (const char* text : {"", "a", "a>1", "a~x", "has a"}) {
    tgmap::failure why;
    (void)tgmap::selection::parse(text, tgmap::selection_syntax::single_clause, why);
    TGMAP_FAILED(why, errc::bad_selection);
    BOOST_TEST(why.expected == static_cast<std::uint64_t>(selection_error::missing_operator));
    BOOST_TEST(why.found == std::string_view(text).size() + 1);
  }
  tgmap::failure why;
  (void)tgmap::selection::parse("@nothing=1", tgmap::selection_syntax::single_clause, why);
  BOOST_TEST(why.expected == static_cast<std::uint64_t>(selection_error::unknown_property));
}

BOOST_AUTO_TEST_CASE(selects_the_same_as_the_reference) {
  const bytes data = six_messages();
  BOOST_TEST(selected(data, plain("mars.step=0/12")) == "0 1 4 5");
  BOOST_TEST(selected(data, plain("mars.step!=0/12")) == "2 3");
  BOOST_TEST(selected(data, plain("mars.step= 0")) == "");
  BOOST_TEST(selected(data, plain("mars.step=0 ")) == "");
  BOOST_TEST(selected(data, plain("nokey=0")) == "");
  BOOST_TEST(selected(data, plain("nokey!=0")) == "0 1 2 3 4 5");
  BOOST_TEST(selected(data, plain("=")) == "");
  BOOST_TEST(selected(data, plain("x=1.5")) == "0 1 2 3 4 5");
  BOOST_TEST(selected(data, plain("x=1.50")) == "");
}

BOOST_AUTO_TEST_SUITE_END()
