// SPDX-License-Identifier: Apache-2.0
#include "core/text/escape.hpp"

#include <boost/test/unit_test.hpp>

using tgmap::core::escaped;
using namespace std::string_literals;

BOOST_AUTO_TEST_SUITE(escaping)

BOOST_AUTO_TEST_CASE(plain_text_is_unchanged) {
  BOOST_TEST(escaped("") == "");
  BOOST_TEST(escaped("forecast 2024/f.tgm:\\n") == "forecast 2024/f.tgm:\\n");
  BOOST_TEST(escaped("Grüße, 気温, 🌍, e\u0301") == "Grüße, 気温, 🌍, e\u0301");
  BOOST_TEST(escaped("مرحبا") == "مرحبا");  // written from right to left, but without overriding anything
}

BOOST_AUTO_TEST_CASE(control_characters_are_escaped) {
  BOOST_TEST(escaped("a\nb\tc") == "a\\nb\\tc");
  BOOST_TEST(escaped("\x1b[31mred\r") == "\\x1b[31mred\\x0d");
  BOOST_TEST(escaped("a\0b\x7f"s) == "a\\x00b\\x7f");
  BOOST_TEST(escaped("\u0080\u009b31m\u009f") == "\\x80\\x9b31m\\x9f");
  BOOST_TEST(escaped("\u00a0") == "\u00a0");  // the first character after the controls
}

BOOST_AUTO_TEST_CASE(direction_controls_are_escaped) {
  BOOST_TEST(escaped("a\u202egpj.exe") == "a\\u{202e}gpj.exe");
  for (const char* text : {"\u061c", "\u200e", "\u200f", "\u2028", "\u2029", "\u202a", "\u202b", "\u202c", "\u202d",
                           "\u202e", "\u2066", "\u2067", "\u2068", "\u2069", "\ufeff"})
    BOOST_TEST(escaped(text).starts_with("\\u{"));
  for (const char* text : {"\u061b", "\u200d", "\u2010", "\u2027", "\u202f", "\u2065", "\u206a"})
    BOOST_TEST(escaped(text) == text);
}

BOOST_AUTO_TEST_CASE(invisible_characters_are_escaped) {
  BOOST_TEST(escaped("user\u200badmin\u00ad") == "user\\u{200b}admin\\u{00ad}");
  BOOST_TEST(escaped("a\U000e0041\U000e007f") == "a\\u{0e0041}\\u{0e007f}");
  for (const char* text : {"\u115f", "\u1160", "\u180e", "\u2060", "\u2061", "\u2062", "\u2063", "\u2064", "\u3164",
                           "\uffa0", "\U000e0000", "\U000e0001"})
    BOOST_TEST(escaped(text).starts_with("\\u{"), text);
  for (const char* text : {"\u00ac", "\u00ae", "\u115e", "\u1161", "\u180d", "\u200a", "\u200c", "\u200d", "\u205f",
                           "\u3163", "\uff9f", "\uffa1", "\U000dffff", "\U000e0080"})
    BOOST_TEST(escaped(text) == text, text);
}

BOOST_AUTO_TEST_CASE(json_is_escaped_by_its_own_notation) {
  using tgmap::core::escaped_json;
  BOOST_TEST(escaped_json(R"({"a":"\u0001 Grüße"})") == R"({"a":"\u0001 Grüße"})");
  BOOST_TEST(escaped_json("[\"\u202e\u0085\x7f\U000e0041\"]") == R"(["\u202e\u0085\u007f\udb40\udc41"])");
  BOOST_TEST(escaped_json("\"\xff\"") == "\"\ufffd\"");
}

BOOST_AUTO_TEST_CASE(ill_formed_bytes_are_escaped) {
  BOOST_TEST(escaped("a\xff"
                     "b") == "a\\xffb");
  BOOST_TEST(escaped("\xc3") == "\\xc3");           // cut
  BOOST_TEST(escaped("\xe6\xb0") == "\\xe6\\xb0");  // cut later
  BOOST_TEST(escaped("\x80") == "\\x80");           // no first byte
  BOOST_TEST(escaped("\xc0\xaf") == "\\xc0\\xaf");  // overlong '/'
  BOOST_TEST(escaped("\xc1\xbf") == "\\xc1\\xbf");
  BOOST_TEST(escaped("\xe0\x9f\xbf") == "\\xe0\\x9f\\xbf");           // overlong, three bytes
  BOOST_TEST(escaped("\xf0\x8f\xbf\xbf") == "\\xf0\\x8f\\xbf\\xbf");  // overlong, four bytes
  BOOST_TEST(escaped("\xed\xa0\x80") == "\\xed\\xa0\\x80");           // a surrogate
  BOOST_TEST(escaped("\xf4\x90\x80\x80") == "\\xf4\\x90\\x80\\x80");  // above U+10FFFF
  BOOST_TEST(escaped("\xf5\x80\x80\x80") == "\\xf5\\x80\\x80\\x80");
  BOOST_TEST(escaped("\xc3\x28") == "\\xc3(");  // goes on with the next character
}

BOOST_AUTO_TEST_CASE(first_and_last_code_points_of_each_length_are_unchanged) {
  for (const char* text : {"\u00a1", "\u07ff", "\u0800", "\ud7ff", "\ue000", "\uffff", "\U00010000", "\U0010ffff"})
    BOOST_TEST(escaped(text) == text);
}

BOOST_AUTO_TEST_CASE(any_two_bytes_become_printable) {
  for (int first = 0; first < 256; ++first)
    for (int second = 0; second < 256; ++second) {
      const std::string out = escaped(std::string{static_cast<char>(first), static_cast<char>(second)});
      BOOST_TEST_REQUIRE(escaped(out) == out);  // nothing is left to be escaped
    }
}

BOOST_AUTO_TEST_SUITE_END()
