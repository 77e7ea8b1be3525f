// SPDX-License-Identifier: Apache-2.0
#include "cli/options/json_to_cbor.hpp"

#include <boost/test/unit_test.hpp>
#include <support/failures.hpp>

#include "cli/app/cli_error.hpp"

using tgmap::cbor_value;
using tgmap::cli::json_to_cbor;

BOOST_AUTO_TEST_SUITE(json_items)

namespace {

void becomes(std::string_view text, const cbor_value& wanted) {
  BOOST_TEST((json_to_cbor(text, "--meta") == wanted), text);
}

void refused(std::string_view text, const std::string& why) {
  try {
    json_to_cbor(text, "--meta");
    BOOST_ERROR("'" << text << "' is taken");
  } catch (const tgmap::cli::usage_error& thrown) {
    BOOST_TEST(thrown.what() == "--meta: " + why);
    BOOST_TEST(!thrown.next_step().empty());
  }
}

std::string nested(std::size_t containers) { return std::string(containers, '[') + std::string(containers, ']'); }

}  // namespace

BOOST_AUTO_TEST_CASE(numbers_keep_their_kind) {
  becomes("0", 0);
  becomes("-1", -1);
  becomes("9223372036854775808", std::uint64_t{1} << 63);
  becomes("18446744073709551615", UINT64_MAX);
  becomes("-9223372036854775808", INT64_MIN);
  becomes("1.0", 1.0);
  becomes("1e2", 100.0);
  becomes("-0.0", -0.0);
  becomes("0.1", 0.1);
  BOOST_TEST(json_to_cbor("1", "").kind() == tgmap::cbor_kind::integer);
  BOOST_TEST(json_to_cbor("1.0", "").kind() == tgmap::cbor_kind::floating);
}

BOOST_AUTO_TEST_CASE(everything_else) {
  becomes("null", {});
  becomes(" true ", true);
  becomes("false", false);
  becomes(R"("2t")", "2t");
  becomes(R"("\u00e9\n\"")", "é\n\"");
  becomes("[]", cbor_value::array(std::initializer_list<cbor_value>{}));
  becomes("{}", cbor_value::map());
  becomes(R"([1,[2.5,null],{"a":{}}])",
          cbor_value::array({1, cbor_value::array({2.5, cbor_value()}), cbor_value::map({{"a", cbor_value::map()}})}));
  becomes(R"({"mars":{"param":"2t","step":12},"levels":[500,850],"":true})",
          cbor_value::map({{"mars", cbor_value::map({{"param", "2t"}, {"step", 12}})},
                           {"levels", cbor_value::array({500, 850})},
                           {"", true}}));
}

BOOST_AUTO_TEST_CASE(ambiguous_json_is_refused) {
  refused(R"({"a":1,"b":{"a":2},"a":3})", "the key 'a' occurs twice, at line 1, column 22");
  refused("18446744073709551616", "the integer 18446744073709551616 does not fit into 64 bits, at line 1, column 20");
  refused("[-9223372036854775809]", "the integer -9223372036854775809 does not fit into 64 bits, at line 1, column 22");
  refused("1e999", "the number 1e999 does not fit into a float64, at line 1, column 5");
}

BOOST_AUTO_TEST_CASE(depth_is_bounded) {
  BOOST_TEST(json_to_cbor(nested(64), "").kind() == tgmap::cbor_kind::array);
  refused(nested(65), "containers are nested more than 64 deep, at line 1, column 65");
  refused(std::string(1000000, '['), "containers are nested more than 64 deep, at line 1, column 65");
}

BOOST_AUTO_TEST_CASE(invalid_json_is_refused_with_line_and_column) {
  refused("", "the JSON ends too early, at line 1, column 1");
  refused("{\"a\": 1,\n \"b\" 2}", "this is not valid JSON, at line 2, column 6");
  refused("{\n\n  a: 1}", "this is not valid JSON, at line 3, column 3");
  refused("{", "the JSON ends too early, at line 1, column 1");
  refused("[1, 2,]", "this is not valid JSON, at line 1, column 7");
  refused("1 2", "this is not valid JSON, at line 1, column 3");
  for (const char* text :
       {"NaN", "'a'", "[1", "{\"a\":1", "01", "+1", "\"a", "\"\xff\"", "\"\\ud800\"", "// c\n1", "tru"})
    BOOST_CHECK_THROW(json_to_cbor(text, ""), tgmap::cli::usage_error);
}

BOOST_AUTO_TEST_CASE(every_cut_is_refused) {
  const std::string text = R"({"a":[1.5,-2,{"b":null}],"c":"text","d":true})";
  BOOST_TEST(json_to_cbor(text, "").is_map());
  for (std::size_t length = 0; length < text.size(); ++length)
    BOOST_CHECK_THROW(json_to_cbor(std::string_view(text).substr(0, length), ""), tgmap::cli::usage_error);
}

BOOST_AUTO_TEST_SUITE_END()
