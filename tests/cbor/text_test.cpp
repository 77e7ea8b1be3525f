// SPDX-License-Identifier: Apache-2.0
// Strings in one piece and in many; repair of UTF-8 compared with a decoder of code points.
#include "cbor/text.hpp"

#include <boost/test/unit_test.hpp>
#include <random>
#include <support/cbor.hpp>
#include <support/guarded.hpp>

using namespace tgmap_test;
namespace reader = tgmap::cbor;

BOOST_AUTO_TEST_SUITE(text_test)

namespace {

const std::string mark = "\xef\xbf\xbd";

/// Returns the length of the code point at the start of `text`, by decoding and encoding it; 0: there is none.
std::size_t decoded_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  std::size_t length = byte(0) < 0x80 ? 1 : byte(0) >> 5 == 6 ? 2 : byte(0) >> 4 == 14 ? 3 : byte(0) >> 3 == 30 ? 4 : 0;
  if (length == 0 || text.size() < length) return 0;
  std::uint32_t point = length == 1 ? byte(0) : byte(0) & (0x7fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if (byte(i) >> 6 != 2) return 0;
    point = point << 6 | (byte(i) & 63u);
  }
  const std::size_t shortest = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  if (shortest != length || point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) return 0;
  return length;
}

std::string repaired(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t length = decoded_length(text);
    out += length == 0 ? mark : std::string(text.substr(0, length));
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out;
}

bool agrees(const std::string& text) { return reader::well_formed(text) == repaired(text); }

}  // namespace

BOOST_AUTO_TEST_CASE(every_pair_of_bytes_is_repaired) {
  unsigned wrong = 0, kept = 0;
  for (unsigned n = 0; n < 65536; ++n) {
    const std::string text = big_endian(n, 2);
    wrong += !agrees(text);
    kept += reader::well_formed(text) == text;
  }
  BOOST_TEST(wrong == 0u);
  BOOST_TEST(kept == 128u * 128u + 30u * 64u);  // two ASCII, or one of two bytes
}

BOOST_AUTO_TEST_CASE(every_three_bytes_with_a_lead_of_three_are_repaired) {
  unsigned wrong = 0, kept = 0;
  for (unsigned lead = 0xe0; lead <= 0xef; ++lead)
    for (unsigned second = 0; second < 256; ++second)
      for (const unsigned third : {0x00u, 0x7fu, 0x80u, 0x9fu, 0xa0u, 0xbfu, 0xc0u, 0xffu}) {
        const std::string text = big_endian(lead << 16 | second << 8 | third, 3);
        wrong += !agrees(text);
        kept += reader::well_formed(text) == text;
      }
  BOOST_TEST(wrong == 0u);
  // 16 leads, 64 second bytes, four valid third bytes; without 32 overlong seconds and 32 of surrogates. Two-byte
  // sequences with an ASCII end: none.
  BOOST_TEST(kept == (16u * 64u - 64u) * 4u);
}

BOOST_AUTO_TEST_CASE(every_four_bytes_with_a_lead_of_four_are_repaired) {
  unsigned wrong = 0, kept = 0;
  for (unsigned lead = 0xf0; lead <= 0xff; ++lead)
    for (unsigned second = 0; second < 256; ++second)
      for (const unsigned rest : {0x8080u, 0xbfbfu, 0x7f80u, 0x80c0u, 0x8041u, 0x4180u}) {
        const std::string text = big_endian(std::uint64_t{lead} << 24 | second << 16 | rest, 4);
        wrong += !agrees(text);
        kept += reader::well_formed(text) == text;
      }
  BOOST_TEST(wrong == 0u);
  BOOST_TEST(kept == (48u + 3u * 64u + 16u) * 2u);  // f0 90…bf, f1…f3 80…bf, f4 80…8f
}

BOOST_AUTO_TEST_CASE(every_code_point_is_unchanged) {
  const auto encoded = [](std::uint32_t p) -> std::string {
    const auto c = [](std::uint32_t n) { return static_cast<char>(n); };
    if (p < 0x80) return {c(p)};
    if (p < 0x800) return {c(0xc0 | p >> 6), c(0x80 | (p & 63))};
    if (p < 0x10000) return {c(0xe0 | p >> 12), c(0x80 | (p >> 6 & 63)), c(0x80 | (p & 63))};
    return {c(0xf0 | p >> 18), c(0x80 | (p >> 12 & 63)), c(0x80 | (p >> 6 & 63)), c(0x80 | (p & 63))};
  };
  unsigned wrong = 0;
  for (std::uint32_t point = 0; point < 0x110000; ++point) {
    const std::string text = encoded(point);
    const bool surrogate = point >= 0xd800 && point < 0xe000;
    wrong += reader::well_formed(text) != (surrogate ? mark + mark + mark : text);
  }
  BOOST_TEST(wrong == 0u);
}

BOOST_AUTO_TEST_CASE(random_text_is_repaired) {
  std::mt19937_64 random(1);
  const std::string alphabet = "ab\x7f\x80\x8f\x90\x9f\xa0\xbf\xc0\xc1\xc2\xdf\xe0\xe1\xed\xef\xf0\xf1\xf4\xf5\xff";
  for (unsigned round = 0; round < 50000; ++round) {
    std::string text(random() % 12, '\0');
    for (char& c : text) c = alphabet[random() % alphabet.size()];
    BOOST_REQUIRE(agrees(text));
  }
}

BOOST_AUTO_TEST_CASE(repaired_text_needs_no_repair) {
  std::mt19937_64 random(2);
  for (unsigned round = 0; round < 2000; ++round) {
    std::string text(random() % 40, '\0');
    for (char& c : text) c = static_cast<char>(random());
    const std::string once = reader::well_formed(text);
    BOOST_REQUIRE(reader::well_formed(once) == once);
  }
}

BOOST_AUTO_TEST_CASE(equality_and_copies_see_pieces_as_one) {
  std::mt19937_64 random(3);
  for (unsigned round = 0; round < 3000; ++round) {
    std::string whole;
    std::vector<std::string> pieces(random() % 4);
    for (auto& piece : pieces) whole += piece = std::string(random() % 5, static_cast<char>('a' + random() % 3));
    const std::vector<std::string_view> views(pieces.begin(), pieces.end());
    for (const bytes& item : {cbor::text(whole), cbor::text_in_pieces(views)}) {
      const auto span = span_of(item);
      BOOST_REQUIRE(reader::text_equals(span, whole));
      BOOST_REQUIRE(!reader::text_equals(span, whole + "a"));
      BOOST_REQUIRE(!reader::text_equals(span, "x" + whole));
      if (!whole.empty()) BOOST_REQUIRE(!reader::text_equals(span, whole.substr(1)) || whole.substr(1) == whole);
      if (!whole.empty()) BOOST_REQUIRE(!reader::text_equals(span, whole.substr(0, whole.size() - 1)));
      BOOST_REQUIRE(reader::join_string(span) == whole);
      std::string buffer(random() % 10, '?');
      const std::string before = buffer;
      BOOST_REQUIRE(reader::copy_string(span, buffer).value() == whole.size());
      const std::size_t copied = std::min(buffer.size(), whole.size());
      BOOST_REQUIRE(buffer == whole.substr(0, copied) + before.substr(copied));
    }
    BOOST_REQUIRE(reader::string_contents(span_of(cbor::text(whole))).has_value());
    const bytes many = cbor::text_in_pieces(views);
    BOOST_REQUIRE(!reader::string_contents(span_of(many)));
  }
}

BOOST_AUTO_TEST_CASE(items_other_than_strings_have_no_text) {
  for (const bytes& item : {cbor::integer(1), cbor::array({cbor::text("a")}), cbor::map({}), cbor::null(),
                            cbor::tag(1, cbor::text("a")), bytes(), bytes("\x7c"), bytes("\xff")}) {
    const auto span = span_of(item);
    std::array<char, 4> buffer{};
    BOOST_TEST(!reader::string_contents(span));
    BOOST_TEST(!reader::text_equals(span, "a"));
    BOOST_TEST(!reader::text_equals(span, ""));
    BOOST_TEST(!reader::copy_string(span, buffer));
    BOOST_TEST(reader::join_string(span).empty());
  }
}

BOOST_AUTO_TEST_CASE(byte_strings_are_not_text) {
  for (const bytes& item : {cbor::blob("abc"), cbor::blob_in_pieces({"a", "bc"})}) {
    std::array<char, 3> buffer{};
    BOOST_TEST(!reader::text_equals(span_of(item), "abc"));
    BOOST_TEST(reader::copy_string(span_of(item), buffer).value() == 3u);
    BOOST_TEST(std::string_view(buffer.data(), 3) == "abc");
    BOOST_TEST(reader::join_string(span_of(item)) == "abc");
  }
}

BOOST_AUTO_TEST_CASE(truncated_strings_are_not_read_beyond_their_end) {
  guarded_bytes memory(16);
  for (const bytes& whole : {cbor::text("abcdef"), cbor::text_in_pieces({"ab", "cd", "ef"})})
    for (std::size_t size = 0; size < whole.size(); ++size) {
      const auto item_bytes = memory.hold(whole.substr(0, size));
      BOOST_TEST(!reader::string_contents(item_bytes));
      BOOST_TEST((size + 1 >= whole.size() || !reader::text_equals(item_bytes, "abcdef")));
      BOOST_TEST(reader::join_string(item_bytes).size() <= 6u);
    }
}

BOOST_AUTO_TEST_SUITE_END()
