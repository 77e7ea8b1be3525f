// SPDX-License-Identifier: Apache-2.0
#include "cli/options/json_to_cbor.hpp"

#include <boost/test/unit_test.hpp>

#include "cli/app/cli_error.hpp"

using tgmap::cli::json_to_cbor;

BOOST_AUTO_TEST_SUITE(json_items)

namespace {

void refused(std::string_view text, const std::string& why) {
  try {
    json_to_cbor(text, "--meta");
    BOOST_ERROR("'" << text << "' is taken");
  } catch (const tgmap::cli::usage_error& thrown) {
    BOOST_TEST(thrown.what() == "--meta: " + why);
    BOOST_TEST(!thrown.next_step().empty());
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(json_is_refused_with_line_and_column) {
  BOOST_TEST((json_to_cbor("[1,null]", "--meta") == tgmap::cbor_value::array({1, tgmap::cbor_value()})));
  refused(R"({"a":1,"a":3})", "the key 'a' occurs twice, at line 1, column 10");
  refused("18446744073709551616", "the integer 18446744073709551616 does not fit into 64 bits, at line 1, column 20");
  refused("1e999", "the number 1e999 does not fit into a float64, at line 1, column 5");
  refused(std::string(1000000, '['), "containers are nested more than 64 deep, at line 1, column 65");
  refused("{\n\n  a: 1}", "this is not valid JSON, at line 3, column 3");
  refused("[1, 2", "the JSON ends too early, at line 1, column 5");
}

BOOST_AUTO_TEST_SUITE_END()
