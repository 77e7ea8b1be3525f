// SPDX-License-Identifier: Apache-2.0
#include "cli/options/assignments.hpp"

#include <boost/test/unit_test.hpp>

#include "cli/app/cli_error.hpp"

BOOST_AUTO_TEST_SUITE(assignments)

using namespace tgmap::cli;

namespace {

void refused(std::string_view text, const std::string& why, std::size_t column) {
  try {
    parse_assignments(text);
    BOOST_ERROR("'" << text << "' is taken");
  } catch (const usage_error& thrown) {
    const std::string said = thrown.what();
    BOOST_TEST(said.starts_with(why), said);
    BOOST_TEST(said.ends_with(", at column " + std::to_string(column) + " of '" + std::string(text) + "'"), said);
    BOOST_TEST(!thrown.next_step().empty());
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(invalid_assignments_are_refused_with_their_column) {
  refused("", "a key is missing", 1);
  refused("=1", "a key is missing", 1);
  refused(":i=1", "a key is missing", 1);
  refused("a=1,", "a key is missing", 5);
  refused("a=1,,b=2", "a key is missing", 5);
  refused("a", "'a' has no value", 1);
  refused("a=1,b", "'b' has no value", 5);
  refused("a:i", "'a:i' has no value", 1);
  refused("a:int=1", "':int' is not a type", 1);
  refused("a=1,cf:name=x", "':name' is not a type", 5);
  refused("a:=1", "':' is not a type", 1);
  refused("a:null=1", "null takes no value", 7);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(assigned_values)

using namespace tgmap::cli;
using tgmap::cbor_value;

BOOST_AUTO_TEST_CASE(json_becomes_any_value) {
  const auto all = parse_assignments(R"(a:j={"x":[1,2]})");
  BOOST_TEST((assigned_value(all.at(0), all.at(0).type) == cbor_value::map({{"x", cbor_value::array({1, 2})}})));
}

BOOST_AUTO_TEST_CASE(values_that_do_not_fit_the_type_are_refused) {
  for (const auto& [text, why] :
       {std::pair("a:i=1.0", "'1.0' for a is not an integer of 64 bits"),
        std::pair("a:d=one", "'one' for a is not a number"), std::pair("a:b=1", "'1' for a is not true or false"),
        std::pair("a:s=\xff", "the value for a is not UTF-8"),
        std::pair("a:j={", "a: the JSON ends too early, at line 1, column 1")}) {
    const auto all = parse_assignments(text);
    try {
      assigned_value(all.at(0), all.at(0).type);
      BOOST_ERROR("'" << text << "' is taken");
    } catch (const usage_error& thrown) {
      BOOST_TEST(std::string(thrown.what()) == why);
      BOOST_TEST(!thrown.next_step().empty());
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
