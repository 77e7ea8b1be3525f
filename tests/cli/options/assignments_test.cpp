// SPDX-License-Identifier: Apache-2.0
#include "cli/options/assignments.hpp"

#include <boost/test/unit_test.hpp>
#include <limits>

#include "cli/app/cli_error.hpp"

BOOST_AUTO_TEST_SUITE(assignments)

using namespace tgmap::cli;

namespace {

/// Returns "key|type|value" for each assignment.
std::vector<std::string> read(std::string_view text) {
  std::vector<std::string> out;
  for (const assignment& each : parse_assignments(text))
    out.push_back(each.key + "|" + std::to_string(static_cast<int>(each.type)) + "|" + each.value);
  return out;
}

void check(std::string_view text, const std::vector<std::string>& wanted) {
  BOOST_TEST(read(text) == wanted, boost::test_tools::per_element());
}

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

BOOST_AUTO_TEST_CASE(a_value_ends_at_a_comma) {
  check("a=1", {"a|0|1"});
  check("a=1,b=two,c=", {"a|0|1", "b|0|two", "c|0|"});
  check("mars.step=12,mars.levelist[0]=3", {"mars.step|0|12", "mars.levelist[0]|0|3"});
  check("a= b ", {"a|0| b "});
  check("a=b=c", {"a|0|b=c"});
  check("a=b:i", {"a|0|b:i"});
}

BOOST_AUTO_TEST_CASE(suffixes_set_the_type) {
  check("a:i=1,b:d=2,c:s=3,d:b=true,e:null,f:null", {"a|1|1", "b|2|2", "c|3|3", "d|4|true", "e|5|", "f|5|"});
  check("a:b:s=1", {"a:b|3|1"});
  check("a:i:s=1", {"a:i|3|1"});
}

BOOST_AUTO_TEST_CASE(a_backslash_keeps_a_comma) {
  check(R"(a=1\,2,b=3)", {"a|0|1,2", "b|0|3"});
  check(R"(a=C:\dir\,b)", {R"(a|0|C:\dir,b)"});
  check(R"(a=C:\\,b=1)", {R"(a|0|C:\)", "b|0|1"});
  check(R"(a=\)", {R"(a|0|\)"});
  check(R"(a\,b=1)", {"a,b|0|1"});
}

BOOST_AUTO_TEST_CASE(json_takes_the_rest) {
  check(R"(a=1,b:j={"x":[1,2],"y":"\,\\"},c=3)", {"a|0|1", R"(b|6|{"x":[1,2],"y":"\,\\"},c=3)"});
  check("a:j=", {"a|6|"});
}

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

namespace {

void becomes(std::string_view text, const cbor_value& wanted, assigned_type unsaid = assigned_type::text) {
  BOOST_TEST((assigned_value(parse_assignments(text).at(0), unsaid) == wanted), text);
}

void refused(std::string_view text) {
  const auto all = parse_assignments(text);
  BOOST_CHECK_THROW(assigned_value(all.at(0)), usage_error);
}

}  // namespace

BOOST_AUTO_TEST_CASE(text_unless_it_is_said_otherwise) {
  becomes("a=12", "12");
  becomes("a=", "");
  becomes("a:s=true", "true");
  becomes("a=12", 12, assigned_type::integer);
  becomes("a:s=12", "12", assigned_type::integer);
}

BOOST_AUTO_TEST_CASE(forced_types) {
  becomes("a:i=12", 12);
  becomes("a:i=-9223372036854775808", INT64_MIN);
  becomes("a:i=18446744073709551615", UINT64_MAX);
  becomes("a:d=12", 12.0);
  becomes("a:d=1e-3", 0.001);
  becomes("a:d=-inf", -std::numeric_limits<double>::infinity());
  becomes("a:d=nan", std::numeric_limits<double>::quiet_NaN());
  becomes("a:b=true", true);
  becomes("a:b=false", false);
  becomes("a:null", cbor_value());
  becomes(R"(a:j={"x":[1,2]})", cbor_value::map({{"x", cbor_value::array({1, 2})}}));
}

BOOST_AUTO_TEST_CASE(values_that_do_not_fit_the_type_are_refused) {
  for (const char* text : {"a:i=", "a:i=1.0", "a:i= 1", "a:i=1 ", "a:i=0x1", "a:i=18446744073709551616", "a:i=+1",
                           "a:i=-9223372036854775809", "a:d=", R"(a:d=1\,5)", "a:d=one", "a:d=1e999", "a:b=1",
                           "a:b=True", "a:b=", "a:j=", "a:j={", "a:j=1 2"})
    refused(text);
}

BOOST_AUTO_TEST_SUITE_END()
