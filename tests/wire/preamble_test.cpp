// SPDX-License-Identifier: Apache-2.0
// Preambles, specification §0.2 and §2.1.
#include "wire/preamble.hpp"

#include <boost/test/unit_test.hpp>
#include <support/bytes.hpp>
#include <support/guarded.hpp>
#include <vector>

using namespace tgmap_test;
using namespace tgmap::wire;

BOOST_AUTO_TEST_SUITE(preamble_test)

namespace {

bytes preamble_of(std::uint16_t version, std::uint16_t flags, std::uint64_t length, std::uint32_t reserved = 0) {
  return "TENSOGRM" + big_endian(version, 2) + big_endian(flags, 2) + big_endian(reserved, 4) + big_endian(length, 8);
}

constexpr std::array<std::byte, 24> constant = [] {
  std::array<std::byte, 24> out{};
  for (std::size_t i = 0; i < 8; ++i) out[i] = message_magic[i];
  out[9] = std::byte{3};
  out[11] = std::byte{0x95};
  out[22] = std::byte{2};
  out[23] = std::byte{0x50};
  return out;
}();

}  // namespace

static_assert(parse_preamble(constant)->version == 3);
static_assert(parse_preamble(constant)->flags == 0x95);
static_assert(parse_preamble(constant)->total_length == 592);
static_assert(!parse_preamble({}));

static_assert(preamble_size == 24);
static_assert(preamble{}.version == 0 && preamble{}.flags == 0 && preamble{}.total_length == 0);

BOOST_AUTO_TEST_CASE(preamble_fields_are_where_the_specification_says) {
  const bytes data = preamble_of(2, 0x6b, 0x0123456789abcdef) + "FR";
  const auto p = parse_preamble(span_of(data));
  BOOST_REQUIRE(p.has_value());
  BOOST_TEST(p->version == 2u);
  BOOST_TEST(p->flags == 0x6bu);
  BOOST_TEST(p->total_length == 0x0123456789abcdefu);
}

BOOST_AUTO_TEST_CASE(reserved_bytes_are_ignored) {
  const bytes data = preamble_of(3, 0, 48, 0xffffffff);
  const auto p = parse_preamble(span_of(data));
  BOOST_REQUIRE(p.has_value());
  BOOST_TEST(p->version == 3u);
  BOOST_TEST(p->flags == 0u);
  BOOST_TEST(p->total_length == 48u);
}

BOOST_AUTO_TEST_CASE(two_zero_bytes_for_a_version_are_version_1_and_its_length) {
  for (const std::uint64_t length : {std::uint64_t{0}, std::uint64_t{48}, (std::uint64_t{1} << 48) - 1}) {
    const bytes data = "TENSOGRM" + big_endian(length, 8) + big_endian(40, 8);
    const auto p = parse_preamble(span_of(data));
    BOOST_REQUIRE(p.has_value());
    BOOST_TEST(p->version == 1u);
    BOOST_TEST(p->flags == 0u);
    BOOST_TEST(p->total_length == length);
  }
}

BOOST_AUTO_TEST_CASE(a_stated_version_1_depends_on_the_next_bytes) {
  const bytes data = preamble_of(1, 7, 99);
  const auto p = parse_preamble(span_of(data));
  BOOST_REQUIRE(p.has_value());
  BOOST_TEST(p->version == 1u);
  BOOST_TEST(p->flags == 7u);
  BOOST_TEST(p->total_length == 99u);
}

BOOST_AUTO_TEST_CASE(every_other_version_is_returned_unchanged) {
  unsigned wrong = 0;
  for (unsigned version = 1; version < 65536; ++version) {
    const bytes data = preamble_of(static_cast<std::uint16_t>(version), 0, 1);
    const auto p = parse_preamble(span_of(data));
    wrong += !p || p->version != version || p->total_length != 1;
  }
  BOOST_TEST(wrong == 0u);
}

BOOST_AUTO_TEST_CASE(a_truncated_preamble_is_not_read) {
  const bytes whole = preamble_of(3, 0, 48);
  guarded_bytes memory(whole.size());
  for (std::size_t size = 0; size < whole.size(); ++size)
    BOOST_TEST(!parse_preamble(memory.hold(whole.substr(0, size))), "of " << size);
  BOOST_TEST(parse_preamble(memory.hold(whole)).has_value());
}

BOOST_AUTO_TEST_CASE(a_preamble_needs_its_magic) {
  for (std::size_t i = 0; i < 8; ++i) {
    bytes changed = preamble_of(3, 0, 48);
    changed[i] = static_cast<char>(changed[i] + 1);
    BOOST_TEST(!parse_preamble(span_of(changed)));
  }
}

BOOST_AUTO_TEST_CASE(message_flags_are_the_bits_of_the_specification) {
  BOOST_TEST(header_metadata_flag == 1);
  BOOST_TEST(footer_metadata_flag == 2);
  BOOST_TEST(header_index_flag == 4);
  BOOST_TEST(footer_index_flag == 8);
  BOOST_TEST(header_hashes_flag == 16);
  BOOST_TEST(footer_hashes_flag == 32);
  BOOST_TEST(preceder_flag == 64);
  BOOST_TEST(hashes_present_flag == 128);
}

BOOST_AUTO_TEST_CASE(preambles_are_written_byte_by_byte) {
  bytes out(26, '\xaa');
  put_preamble(reinterpret_cast<std::byte*>(out.data()) + 1,
               {.version = 0x0102, .flags = 0x0304, .total_length = 0x1112131415161718});
  BOOST_TEST(out == "\xaaTENSOGRM\1\2\3\4" + bytes(4, '\0') + "\x11\x12\x13\x14\x15\x16\x17\x18\xaa");
  BOOST_TEST(length_in_preamble == 16u);
}

BOOST_AUTO_TEST_CASE(flags_and_sizes_are_those_of_the_specification) {
  const std::vector<message_flag> in_order{header_metadata_flag, footer_metadata_flag, header_index_flag,
                                           footer_index_flag,    header_hashes_flag,   footer_hashes_flag,
                                           preceder_flag,        hashes_present_flag};
  unsigned value = 1;
  for (const message_flag each : in_order) {
    BOOST_TEST(static_cast<unsigned>(each) == value);
    value *= 2;
  }
  BOOST_TEST(preamble_size == 24u);
}

BOOST_AUTO_TEST_SUITE_END()
