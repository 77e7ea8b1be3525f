// SPDX-License-Identifier: Apache-2.0
#include "cli/assigned_item.hpp"

#include <boost/test/unit_test.hpp>
#include <limits>

#include "cli/complaint.hpp"

using tgmap::cbor_value;
BOOST_AUTO_TEST_SUITE(assigned_items)

using namespace tgmap::cli;

namespace {

void becomes(std::string_view text, const cbor_value& wanted, assigned_type unsaid = assigned_type::text) {
  BOOST_TEST((assigned_item(parse_assignments(text).at(0), unsaid) == wanted), text);
}

void refused(std::string_view text) {
  const auto all = parse_assignments(text);
  BOOST_CHECK_THROW(assigned_item(all.at(0)), usage_error);
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

BOOST_AUTO_TEST_CASE(what_is_nothing_of_the_type_is_refused) {
  for (const char* text : {"a:i=", "a:i=1.0", "a:i= 1", "a:i=1 ", "a:i=0x1", "a:i=18446744073709551616", "a:i=+1",
                           "a:i=-9223372036854775809", "a:d=", R"(a:d=1\,5)", "a:d=one", "a:d=1e999", "a:b=1",
                           "a:b=True", "a:b=", "a:j=", "a:j={", "a:j=1 2"})
    refused(text);
}

BOOST_AUTO_TEST_SUITE_END()
