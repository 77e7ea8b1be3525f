// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "reports/json.hpp"

BOOST_AUTO_TEST_SUITE(json_values)

using namespace tgmap::reports;
using tgmap::errc;

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

BOOST_AUTO_TEST_CASE(numbers_are_exact) {
  BOOST_TEST(json_line({INT64_MIN, UINT64_MAX, 0.1, 1.0, 1e-5, 659.92999267578125}) ==
             "[-9223372036854775808,18446744073709551615,0.1,1.0,1e-05,659.9299926757812]\n");
  BOOST_TEST(json_line(std::numeric_limits<double>::quiet_NaN()) == "null\n");
}

BOOST_AUTO_TEST_CASE(gaps_and_tails_in_json) {
  const tgmap::gap g{8, 16, {.code = errc::not_a_message, .offset = 8}};
  BOOST_TEST(to_json(g).dump() == R"({"begin":8,"end":16,"code":"not_a_message","cause":")" + g.cause.text() + "\"}");
  BOOST_TEST(to_json(std::optional<tgmap::incomplete_tail>{}).is_null());
  BOOST_TEST(to_json(std::optional<tgmap::incomplete_tail>({1, 2, {}}))["end"] == 2);
}

BOOST_AUTO_TEST_SUITE_END()
