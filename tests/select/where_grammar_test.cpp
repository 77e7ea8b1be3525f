// SPDX-License-Identifier: Apache-2.0
// How the text of a selection is read: seen in its one spelling.
#include <boost/test/unit_test.hpp>

#include "samples.hpp"

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(grammar)

namespace {

void reads_as(std::string_view text, std::string_view spelled) {
  BOOST_TEST(tgmap::selection(text).text() == spelled, text);
  BOOST_TEST(tgmap::selection(spelled).text() == spelled, spelled);
}

}  // namespace

BOOST_AUTO_TEST_CASE(clauses_of_the_reference_implementation) {
  reads_as("mars.param=2t", "mars.param=2t");
  reads_as("mars.param=2t/10u", "mars.param=2t/10u");
  reads_as("mars.class!=od", "mars.class!=od");
  reads_as("a=", "a=\"\"");
  reads_as("a=/b", "a=\"\"/b");
  reads_as("a=b=c", "a=\"b=c\"");
  reads_as("a==b", "a=\"=b\"");
  reads_as("a=hello world", "a=\"hello world\"");
  reads_as("a=x,y", "a=\"x,y\"");
  reads_as("a=<b>", "a=\"<b>\"");
  reads_as("a=5\"", "a=\"5\"\"\"");
  reads_as("my key=1", "\"my key\"=1");
}

BOOST_AUTO_TEST_CASE(blanks_beside_values_count_where_none_stands_before_the_sign) {
  reads_as("a= x", "a=\" x\"");
  reads_as("a=x ", "a=\"x \"");
  reads_as("a=x / y ", "a=\"x \"/\" y \"");
  reads_as("a= ", "a=\" \"");
  reads_as("a!= 1 and b= 2", "a!=\" 1\" and b=\" 2\"");
  reads_as("(a=1 )", "a=1");
  reads_as("a=1 ,b=2", "a=1 and b=2");
  reads_as("a= 0 .. 24 ", "a=0..24");
  reads_as("a= \"x\" / 'y' ", "a=x/y");
  reads_as("a<= 1 ", "a<=1");
}

BOOST_AUTO_TEST_CASE(blanks_around_signs_do_not_count) {
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

BOOST_AUTO_TEST_CASE(dots_that_are_no_range) {
  reads_as("a=..", "a=\"..\"");
  reads_as("a=..5", "a=\"..5\"");
  reads_as("a=5..", "a=\"5..\"");
  reads_as("a=../evil", "a=\"..\"/evil");
  reads_as("a=1...5", "a=\"1...5\"");
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

BOOST_AUTO_TEST_CASE(words_are_words_only_when_whole) {
  reads_as("a=android and b=order", "a=android and b=order");
  reads_as("android=1 or orange=2", "android=1 or orange=2");
  reads_as("notes=1", "notes=1");
  reads_as("hash=1", "hash=1");
  reads_as("has=1", "\"has\"=1");
  reads_as("not=1", "\"not\"=1");
  reads_as("a=AND", "a=AND");
  reads_as("a=x-and y", "a=\"x-and y\"");
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

BOOST_AUTO_TEST_CASE(a_comma_joins_where_a_condition_follows) {
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

BOOST_AUTO_TEST_CASE(a_hundred_levels_can_be_read) {
  const std::string open(99, '('), close(99, ')');
  reads_as(open + "a=1" + close, "a=1");
  std::string nots;
  for (int i = 0; i < 99; ++i) nots += "not ";
  reads_as(nots + "a=1", nots + "a=1");
}

BOOST_AUTO_TEST_SUITE_END()
