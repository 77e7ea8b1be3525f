// SPDX-License-Identifier: Apache-2.0
#include "json/escape.hpp"

#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <string_view>

using namespace tgmap::json_text;
using namespace std::string_literals;

BOOST_AUTO_TEST_SUITE(escape)

namespace {

std::string text_of(std::string_view text, escapes which) {
  std::string out;
  BOOST_TEST(put_escaped(text, which, [&](std::string_view piece) { return out += piece, true; }));
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(each_set_of_escapes) {
  const std::string text = "a\"\\/\b\f\n\r\t\0\x1b\x7f\u0085é\u202e\U000e0041€\U0001d11e"s;
  const std::string ends = R"(a\"\\/\b\f\n\r\t\u0000\u001b)";
  BOOST_TEST(text_of(text, escapes::required) == ends + "\x7f\u0085é\u202e\U000e0041€\U0001d11e");
  BOOST_TEST(text_of(text, escapes::readable) == ends + R"(\u007f\u0085é\u202e\udb40\udc41€)" + "\U0001d11e");
  BOOST_TEST(text_of(text, escapes::ascii) == ends + R"(\u007f\u0085\u00e9\u202e\udb40\udc41\u20ac\ud834\udd1e)");
  BOOST_TEST(text_of(text, escapes::vespa) ==
             R"(a\"\\/\b\f\n\r\t\u0000\u001B\u007f\u0085é\u202e\udb40\udc41€)" + "\U0001d11e"s);
}

BOOST_AUTO_TEST_CASE(ill_formed_text_is_replaced) {
  // The parts are those of the example in the Unicode standard, section 3.9, table 3-11.
  const std::string text = "\xe1\x80\xe2\xf0\x91\x92\xf1\xbf\x41";
  BOOST_TEST(text_of(text, escapes::required) == "\ufffd\ufffd\ufffd\ufffd\x41");
  BOOST_TEST(text_of(text, escapes::ascii) == R"(\ufffd\ufffd\ufffd\ufffdA)");
  BOOST_TEST(text_of("\xc0\xaf\xe0\x80\xbf\xf0\x81\x82\x41", escapes::readable) ==
             "\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd\x41");
}

BOOST_AUTO_TEST_CASE(stops_when_no_more_is_wanted) {
  std::string out;
  const auto take = [&](std::string_view piece) { return out += piece, out.size() < 3; };
  BOOST_TEST(!put_escaped("ab\ncd\ne", escapes::required, take));
  BOOST_TEST(out == R"(ab\n)");
}

BOOST_AUTO_TEST_CASE(any_bytes_are_escaped_as_by_nlohmann_json) {
  std::mt19937 random(3);
  const std::string_view bytes =
      "a\"\\\n\x1f\x7f\x80\x8f\x90\x9f\xa0\xbf\xc0\xc2\xdf\xe0\xe2\xed\xef\xf0\xf1\xf4\xf5\xff";
  for (int i = 0; i < 20'000; ++i) {
    std::string text;
    for (std::size_t n = random() % 8; n > 0; --n)
      text += random() % 8 == 0 ? static_cast<char>(random()) : bytes[random() % bytes.size()];
    for (const bool ascii : {true, false}) {
      const std::string other = nlohmann::json(text).dump(-1, ' ', ascii, nlohmann::json::error_handler_t::replace);
      BOOST_TEST_REQUIRE('"' + text_of(text, ascii ? escapes::ascii : escapes::required) + '"' == other);
    }
  }
}

BOOST_AUTO_TEST_CASE(every_character_comes_back) {
  for (std::uint32_t code = 0; code < 0x30000; code += code < 0x3000 ? 1 : 17) {
    if (code >= 0xd800 && code < 0xe000) continue;
    std::string text;
    tgmap::core::append_utf8(text, code);
    for (const escapes which : {escapes::required, escapes::readable, escapes::ascii, escapes::vespa})
      BOOST_TEST_REQUIRE(nlohmann::json::parse('"' + text_of(text, which) + '"').get<std::string>() == text);
  }
}

BOOST_AUTO_TEST_SUITE_END()
