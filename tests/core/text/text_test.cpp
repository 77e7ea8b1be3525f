// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <string>

#include "core/text/edit_distance.hpp"
#include "core/text/hex.hpp"
#include "core/text/nearest_word.hpp"
#include "core/text/trim.hpp"
#include "core/text/utf8.hpp"

using namespace tgmap;

BOOST_AUTO_TEST_SUITE(text)

BOOST_AUTO_TEST_CASE(code_points_encode_and_decode) {
  for (const std::uint32_t value :
       {0x0u, 0x7fu, 0x80u, 0x7ffu, 0x800u, 0xd7ffu, 0xe000u, 0xffffu, 0x10000u, 0x10ffffu}) {
    std::string out;
    core::append_utf8(out, value);
    const core::code_point first = core::first_code_point(out + "tail");
    BOOST_TEST(first.value == value);
    BOOST_TEST(first.size == out.size());
    BOOST_TEST(core::is_utf8(out));
    BOOST_TEST(core::code_point_count("a" + out + "b") == 3u);
  }
  BOOST_TEST(core::first_code_point("").size == 0u);
}

BOOST_AUTO_TEST_CASE(ill_formed_text_is_found_at_every_position) {
  for (const std::string bad :
       {"\x80", "\xc0\xaf", "\xc3", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xe0\x9f\xbf"})
    for (std::size_t before = 0; before < 20; ++before) {
      const std::string all = std::string(before, 'a') + bad + "behind";
      BOOST_TEST(core::well_formed_size(all) == before);
      BOOST_TEST(!core::is_utf8(all));
      BOOST_TEST(!core::is_ascii(all));
    }
  BOOST_TEST(core::is_ascii(""));
  BOOST_TEST(core::is_utf8("Grüße, 気温, 🌍"));
}

BOOST_AUTO_TEST_CASE(text_is_cut_between_code_points) {
  const std::string text = "aü気";
  for (const auto& [at, begin] :
       {std::pair(0u, 0u), {1u, 1u}, {2u, 1u}, {3u, 3u}, {4u, 3u}, {5u, 3u}, {6u, 6u}, {9u, 6u}})
    BOOST_TEST(core::code_point_begin(text, at) == begin);
}

BOOST_AUTO_TEST_CASE(hexadecimal_digits) {
  BOOST_TEST(core::hex_value('f').value() == 15);
  BOOST_TEST(core::hex_value('A').value() == 10);
  BOOST_TEST(!core::hex_value('g'));
  const auto upper = core::hex_digits(std::uint8_t{0xaf}, true);
  BOOST_TEST(std::string(upper.data(), upper.size()) == "AF");
  const auto number = core::hex_digits(std::uint64_t{0x0123456789abcdef});
  BOOST_TEST(std::string(number.data(), number.size()) == "0123456789abcdef");
  BOOST_TEST(core::hex_text("\x01\xfe") == "01fe");
  BOOST_TEST(core::hex_text(std::uint64_t{0x1f}) == "000000000000001f");
}

BOOST_AUTO_TEST_CASE(edit_distances) {
  BOOST_TEST(core::edit_distance("", "abc") == 3u);
  BOOST_TEST(core::edit_distance("kitten", "sitting") == 3u);
  BOOST_TEST(core::edit_distance("parma", "param") == 1u);
  BOOST_TEST(core::edit_distance("same", "same") == 0u);
  BOOST_TEST(core::edit_distance(std::string(61, 'a'), std::string(61, 'a')) == 61u);
}

BOOST_AUTO_TEST_CASE(nearest_words) {
  const std::vector<std::string> words{"validate", "index", "--limit", "--no-index", "du"};
  BOOST_TEST(core::nearest_word("vaildate", words) == "validate");
  BOOST_TEST(core::nearest_word("val", words) == "validate");
  BOOST_TEST(core::nearest_word("--limti", words) == "--limit");
  BOOST_TEST(core::nearest_word("--xy", words) == "");
  BOOST_TEST(core::nearest_word("zzzz", words) == "");
  BOOST_TEST(core::nearest_word("", words) == "");
  BOOST_TEST(core::nearest_word(std::string(61, 'v'), words) == "");
}

BOOST_AUTO_TEST_CASE(trimming) {
  BOOST_TEST(core::trimmed(" \t a b\r\n") == "a b");
  BOOST_TEST(core::trimmed(" \t\r\n") == "");
  BOOST_TEST(core::trimmed("") == "");
}

BOOST_AUTO_TEST_SUITE_END()
