// SPDX-License-Identifier: Apache-2.0
// Clauses as the reference implementation reads them.
#include <boost/test/unit_test.hpp>
#include <support/failures.hpp>

#include "samples.hpp"

using namespace tgmap_test;
using tgmap::errc;
using tgmap::selection_error;

BOOST_AUTO_TEST_SUITE(plain_reading)

namespace {

tgmap::selection plain(std::string_view text) { return tgmap::selection(text, tgmap::selection_syntax::single_clause); }

void reads_as(std::string_view text, std::string_view spelled) {
  BOOST_TEST(plain(text).text() == spelled, text);
  BOOST_TEST(tgmap::selection(spelled).text() == spelled, spelled);
}

}  // namespace

BOOST_AUTO_TEST_CASE(everything_but_the_first_sign_and_slashes_is_text) {
  reads_as("mars.param=2t/10u", "mars.param=2t/10u");
  reads_as("mars.class!=od", "mars.class!=od");
  reads_as("a=b and c=d", "a=\"b and c=d\"");
  reads_as("a=\"b\"", "a=\"\"\"b\"\"\"");
  reads_as("a=0..24", "a=\"0..24\"");
  reads_as("a=(b)", "a=\"(b)\"");
  reads_as("a = b ", "\"a \"=\" b \"");
  reads_as("a=", "a=\"\"");
  reads_as("a=x//y/", "a=x/\"\"/y/\"\"");
  reads_as("=x", "\"\"=x");
  reads_as("a>=5", "\"a>\"=5");
  reads_as("not a=1", "\"not a\"=1");
}

BOOST_AUTO_TEST_CASE(unequal_is_looked_for_first) {
  reads_as("a=b!=c", "\"a=b\"!=c");
  reads_as("a!=b=c", "a!=\"b=c\"");
}

BOOST_AUTO_TEST_CASE(a_clause_has_a_sign) {
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

BOOST_AUTO_TEST_CASE(it_selects_what_the_reference_selects) {
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
