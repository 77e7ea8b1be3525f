// SPDX-License-Identifier: Apache-2.0
#include "edit/metadata/assignments.hpp"

#include <boost/test/unit_test.hpp>
#include <limits>

BOOST_AUTO_TEST_SUITE(assignment_lists)

using namespace tgmap::edit;

namespace {

/// Returns "key|type|value" for each assignment.
std::vector<std::string> read(std::string_view text) {
  std::vector<std::string> out;
  std::vector<assignment> all;
  BOOST_TEST(!parse_assignments(text, all));
  for (const assignment& each : all)
    out.push_back(each.key + "|" + std::to_string(static_cast<int>(each.type)) + "|" + each.value);
  return out;
}

void check(std::string_view text, const std::vector<std::string>& wanted) {
  BOOST_TEST(read(text) == wanted, boost::test_tools::per_element());
}

using fault = assignment_fault::kind;

void refused(std::string_view text, fault what, std::size_t column, const std::string& name) {
  std::vector<assignment> all;
  const std::optional<assignment_fault> found = parse_assignments(text, all);
  BOOST_TEST_REQUIRE(found.has_value(), text);
  BOOST_TEST((found->what == what), text);
  BOOST_TEST(found->position + 1 == column, text);
  BOOST_TEST(found->name == name, text);
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
  refused("", fault::no_key, 1, "");
  refused("=1", fault::no_key, 1, "");
  refused(":i=1", fault::no_key, 1, ":i");
  refused("a=1,", fault::no_key, 5, "");
  refused("a=1,,b=2", fault::no_key, 5, "");
  refused("a", fault::no_value, 1, "a");
  refused("a=1,b", fault::no_value, 5, "b");
  refused("a:i", fault::no_value, 1, "a:i");
  refused("a:int=1", fault::unknown_type, 1, "a:int");
  refused("a=1,cf:name=x", fault::unknown_type, 5, "cf:name");
  refused("a:=1", fault::unknown_type, 1, "a:");
  refused("a:null=1", fault::null_value, 7, "a:null");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(assigned_values)

using namespace tgmap::edit;
using tgmap::cbor_value;

namespace {

void becomes(std::string_view text, assigned_type type, const cbor_value& wanted) {
  const std::optional<cbor_value> value = assigned_value(text, type);
  BOOST_TEST_REQUIRE(value.has_value(), text);
  BOOST_TEST((*value == wanted), text);
}

}  // namespace

BOOST_AUTO_TEST_CASE(each_type_has_its_values) {
  becomes("12", assigned_type::text, "12");
  becomes("", assigned_type::text, "");
  becomes("12", assigned_type::integer, 12);
  becomes("-9223372036854775808", assigned_type::integer, INT64_MIN);
  becomes("18446744073709551615", assigned_type::integer, UINT64_MAX);
  becomes("12", assigned_type::floating, 12.0);
  becomes("1e-3", assigned_type::floating, 0.001);
  becomes("-inf", assigned_type::floating, -std::numeric_limits<double>::infinity());
  becomes("nan", assigned_type::floating, std::numeric_limits<double>::quiet_NaN());
  becomes("true", assigned_type::boolean, true);
  becomes("false", assigned_type::boolean, false);
  becomes("", assigned_type::null, cbor_value());
}

BOOST_AUTO_TEST_CASE(numbers_are_those_that_are_printed_as_given) {
  for (const auto& [text, number] : {std::pair("6", cbor_value(6)), std::pair("-6", cbor_value(-6)),
                                     std::pair("18446744073709551615", cbor_value(UINT64_MAX)),
                                     std::pair("0.5", cbor_value(0.5)), std::pair("-1.25e-07", cbor_value(-1.25e-7))})
    becomes(text, assigned_type::unspecified, number);
  for (const char* text : {"0600", "1.10", "+6", "nan", "-", "18446744073709551616", "", "0x10", "-0", "1e999"})
    becomes(text, assigned_type::unspecified, text);
}

BOOST_AUTO_TEST_CASE(values_that_do_not_fit_the_type_are_refused) {
  for (const char* text : {"", "1.0", " 1", "1 ", "0x1", "18446744073709551616", "+1", "-9223372036854775809"})
    BOOST_TEST(!assigned_value(text, assigned_type::integer), text);
  for (const char* text : {"", "1,5", "one", "1e999"}) BOOST_TEST(!assigned_value(text, assigned_type::floating), text);
  for (const char* text : {"1", "True", ""}) BOOST_TEST(!assigned_value(text, assigned_type::boolean), text);
  for (const assigned_type type : {assigned_type::text, assigned_type::unspecified})
    BOOST_TEST(!assigned_value("a\xff", type));
}

BOOST_AUTO_TEST_CASE(a_new_value_has_the_type_of_the_old_one) {
  const cbor_value all = cbor_value::map({{"b", true}, {"d", 0.5}, {"i", 1}, {"n", cbor_value()}, {"s", "x"}});
  const auto type_of = [&](std::string_view key) { return type_like(all.view().find(key)); };
  BOOST_TEST((type_of("b") == assigned_type::boolean));
  BOOST_TEST((type_of("d") == assigned_type::floating));
  BOOST_TEST((type_of("i") == assigned_type::integer));
  BOOST_TEST((type_of("n") == assigned_type::unspecified));
  BOOST_TEST((type_of("s") == assigned_type::text));
  BOOST_TEST((type_of("absent") == assigned_type::unspecified));
  BOOST_TEST(!type_like(all.view()));
}

BOOST_AUTO_TEST_SUITE_END()
