// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/json_text.hpp"

using tgmap::cli::float_text;
using tgmap::cli::json_string;

BOOST_AUTO_TEST_SUITE(json_text)

BOOST_AUTO_TEST_CASE(floats_by_their_shortest_digits) {
  const std::pair<double, const char*> cases[] = {
      {0, "0.0"},
      {-0.0, "-0.0"},
      {1, "1.0"},
      {-1.5, "-1.5"},
      {0.1, "0.1"},
      {123.25, "123.25"},
      {1e15, "1000000000000000.0"},
      {1e16, "1e+16"},
      {1e20, "1e+20"},
      {1.25e-7, "1.25e-7"},
      {0.00001, "0.00001"},
      {0.000001, "1e-6"},
      {12345678901234567.0, "1.2345678901234568e+16"},
      {5e-324, "5e-324"},
      {1.7976931348623157e308, "1.7976931348623157e+308"},
  };
  for (const auto& [number, text] : cases) BOOST_TEST(float_text(number) == text);
}

BOOST_AUTO_TEST_CASE(text_that_could_mislead) {
  BOOST_TEST(json_string("ä€𝄞 \"\\/") == "\"ä€𝄞 \\\"\\\\/\"");
  BOOST_TEST(json_string("\n\x01\x7f") == "\"\\n\\u0001\\u007f\"");
  BOOST_TEST(json_string("\xc2\x9b\xe2\x80\xae\xef\xbb\xbf") == "\"\\u009b\\u202e\\ufeff\"");
  BOOST_TEST(json_string("a\xff") == "\"a\xef\xbf\xbd\"");
  for (unsigned code = 0; code < 0x3000; ++code) {  // whatever it is, it comes back
    std::string text;
    if (code < 0x80)
      text = static_cast<char>(code);
    else if (code < 0x800)
      text = {static_cast<char>(0xc0 | code >> 6), static_cast<char>(0x80 | (code & 0x3f))};
    else
      text = {static_cast<char>(0xe0 | code >> 12), static_cast<char>(0x80 | (code >> 6 & 0x3f)),
              static_cast<char>(0x80 | (code & 0x3f))};
    BOOST_TEST_REQUIRE(nlohmann::json::parse(json_string(text)).get<std::string>() == text);
  }
}

BOOST_AUTO_TEST_SUITE_END()
