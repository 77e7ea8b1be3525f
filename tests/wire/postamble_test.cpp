// SPDX-License-Identifier: Apache-2.0
// Postambles, specification §2.6.
#include "wire/postamble.hpp"

#include <boost/test/unit_test.hpp>
#include <support/bytes.hpp>
#include <support/guarded.hpp>

using namespace tgmap_test;
using namespace tgmap::wire;

BOOST_AUTO_TEST_SUITE(postamble_test)

namespace {

bytes version_2(std::uint64_t footer) { return big_endian(footer, 8) + "39277777"; }
bytes version_3(std::uint64_t footer, std::uint64_t length) {
  return big_endian(footer, 8) + big_endian(length, 8) + "39277777";
}

constexpr std::array<std::byte, 16> constant = [] {
  std::array<std::byte, 16> out{};
  out[7] = std::byte{24};
  for (std::size_t i = 0; i < 8; ++i) out[8 + i] = end_magic[i];
  return out;
}();

}  // namespace

static_assert(postamble{}.first_footer_offset == 0 && postamble{}.total_length == 0);
static_assert(postamble_size(2) == 16 && postamble_size(3) == 24);
static_assert(largest_postamble == postamble_size(3));
static_assert(parse_postamble(constant, 2)->first_footer_offset == 24);
static_assert(!parse_postamble(constant, 3), "too short for version 3");

BOOST_AUTO_TEST_CASE(version_2_has_a_footer_offset_and_no_length) {
  const bytes data = version_2(0xfedcba9876543210) + "behind";
  const auto p = parse_postamble(span_of(data), 2);
  BOOST_REQUIRE(p.has_value());
  BOOST_TEST(p->first_footer_offset == 0xfedcba9876543210u);
  BOOST_TEST(p->total_length == 0u);
}

BOOST_AUTO_TEST_CASE(version_3_has_both) {
  const bytes data = version_3(568, 592) + "behind";
  const auto p = parse_postamble(span_of(data), 3);
  BOOST_REQUIRE(p.has_value());
  BOOST_TEST(p->first_footer_offset == 568u);
  BOOST_TEST(p->total_length == 592u);
}

BOOST_AUTO_TEST_CASE(versions_are_distinguished) {
  const bytes two = version_2(24) + bytes(8, 'x'), three = version_3(24, 48);
  BOOST_TEST(!parse_postamble(span_of(two), 3));
  BOOST_TEST(!parse_postamble(span_of(three), 2));
}

BOOST_AUTO_TEST_CASE(a_truncated_postamble_is_not_read) {
  guarded_bytes memory(24);
  for (std::size_t size = 0; size < 16; ++size)
    BOOST_TEST(!parse_postamble(memory.hold(version_2(24).substr(0, size)), 2), "of " << size);
  for (std::size_t size = 0; size < 24; ++size)
    BOOST_TEST(!parse_postamble(memory.hold(version_3(24, 48).substr(0, size)), 3), "of " << size);
  BOOST_TEST(parse_postamble(memory.hold(version_2(24)), 2).has_value());
  BOOST_TEST(parse_postamble(memory.hold(version_3(24, 48)), 3).has_value());
}

BOOST_AUTO_TEST_CASE(each_byte_of_the_end_magic_counts) {
  for (std::size_t i = 0; i < 8; ++i) {
    bytes two = version_2(24), three = version_3(24, 48);
    two[8 + i] = 'x';
    three[16 + i] = 'x';
    BOOST_TEST(!parse_postamble(span_of(two), 2));
    BOOST_TEST(!parse_postamble(span_of(three), 3));
  }
}

BOOST_AUTO_TEST_CASE(postambles_are_written_byte_by_byte) {
  const auto written = [](unsigned version) {
    bytes out(26, '\xaa');
    put_postamble(reinterpret_cast<std::byte*>(out.data()) + 1,
                  {.first_footer_offset = 0x0102030405060708, .total_length = 0x1112131415161718}, version);
    return out;
  };
  const bytes offset = "\1\2\3\4\5\6\7\x08", length = "\x11\x12\x13\x14\x15\x16\x17\x18";
  BOOST_TEST(written(3) == "\xaa" + offset + length + "39277777" + bytes(1, '\xaa'));
  BOOST_TEST(written(2) == "\xaa" + offset + "39277777" + bytes(9, '\xaa'));
  BOOST_TEST(length_in_postamble == 8u);
  BOOST_TEST(largest_postamble == 24u);
}

BOOST_AUTO_TEST_CASE(version_2_has_no_length_in_the_postamble) {
  bytes out(16, '\0');
  put_postamble(reinterpret_cast<std::byte*>(out.data()), {.first_footer_offset = 7, .total_length = 9}, 2);
  const auto found = parse_postamble(span_of(out), 2);
  BOOST_TEST_REQUIRE(found.has_value());
  BOOST_TEST(found->first_footer_offset == 7u);
  BOOST_TEST(found->total_length == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
