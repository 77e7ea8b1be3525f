// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/print/json.hpp"

BOOST_AUTO_TEST_SUITE(json_text)

using namespace tgmap::cli;
using tgmap::errc;

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

BOOST_AUTO_TEST_CASE(json_is_ascii_and_valid_whatever_text_it_holds) {
  const std::string line = json_line({{"file", "\xff\xfe\x1b[31m\u202e\"\\\n\u0085é"}});
  BOOST_TEST(line.back() == '\n');
  for (const char c : line.substr(0, line.size() - 1)) BOOST_TEST((c >= 0x20 && c < 0x7f));
  BOOST_TEST(nlohmann::json::parse(line)["file"] == "\ufffd\ufffd\x1b[31m\u202e\"\\\n\u0085é");
}

BOOST_AUTO_TEST_CASE(names_that_are_not_utf8_have_their_bytes_too) {
  BOOST_TEST(json_line({{"file", "a\xff"}, {"count", 1}, {"text", "\xff"}}) ==
             "{\"file\":\"a\\ufffd\",\"file_hex\":\"61ff\",\"count\":1,\"text\":\"\\ufffd\"}\n");
  BOOST_TEST(json_line({{"output", "b"}}) == "{\"output\":\"b\"}\n");
}

BOOST_AUTO_TEST_CASE(gaps_and_tails_in_json) {
  const tgmap::gap g{8, 16, {.code = errc::not_a_message, .offset = 8}};
  BOOST_TEST(to_json(g).dump() == R"({"begin":8,"end":16,"code":"not_a_message","cause":")" + g.cause.text() + "\"}");
  BOOST_TEST(to_json(std::optional<tgmap::incomplete_tail>{}).is_null());
  BOOST_TEST(to_json(std::optional<tgmap::incomplete_tail>({1, 2, {}}))["end"] == 2);
}

BOOST_AUTO_TEST_SUITE_END()
