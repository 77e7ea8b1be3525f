// SPDX-License-Identifier: Apache-2.0
// Frame headers, types, phases and tails, specification §2.2–2.4 and §2.8.
#include "wire/frame.hpp"

#include <boost/test/unit_test.hpp>
#include <support/bytes.hpp>
#include <support/guarded.hpp>

using namespace tgmap_test;
using namespace tgmap::wire;

BOOST_AUTO_TEST_SUITE(frame_test)

namespace {

bytes header_of(std::uint16_t type, std::uint16_t version, std::uint16_t flags, std::uint64_t length) {
  return "FR" + big_endian(type, 2) + big_endian(version, 2) + big_endian(flags, 2) + big_endian(length, 8);
}

/// The tables of §2.3 and §2.4, copied by hand.
struct row {
  std::uint16_t type;
  phase in_2, in_3;
  std::size_t tail_2, tail_3;
};

constexpr row rows[] = {
    {0, phase::unknown, phase::unknown, 4, 12},  {1, phase::header, phase::header, 4, 12},
    {2, phase::header, phase::header, 4, 12},    {3, phase::header, phase::header, 4, 12},
    {4, phase::body, phase::unknown, 12, 12},    {5, phase::footer, phase::footer, 4, 12},
    {6, phase::footer, phase::footer, 4, 12},    {7, phase::footer, phase::footer, 4, 12},
    {8, phase::body, phase::body, 4, 12},        {9, phase::body, phase::body, 12, 20},
    {10, phase::unknown, phase::unknown, 4, 12}, {65535, phase::unknown, phase::unknown, 4, 12},
};

constexpr bool tables_agree() {
  for (const row& r : rows) {
    if (phase_of(r.type, 2) != r.in_2 || phase_of(r.type, 3) != r.in_3) return false;
    if (tail_size(r.type, 2) != r.tail_2 || tail_size(r.type, 3) != r.tail_3) return false;
  }
  return true;
}

}  // namespace

static_assert(tables_agree());
static_assert(is_object(4, 2) && is_object(9, 2) && !is_object(4, 3) && is_object(9, 3) && !is_object(8, 3));
static_assert(min_frame_size(1, 2) == 20 && min_frame_size(4, 2) == 28 && min_frame_size(1, 3) == 28 &&
                  min_frame_size(9, 3) == 36,
              "least lengths of §2.4");
static_assert(frame_header{}.type == 0 && frame_header{}.version == 0 && frame_header{}.flags == 0 &&
              frame_header{}.length == 0);
static_assert(largest_frame_tail == tail_size(9, 3));
static_assert(header_metadata_frame == 1 && header_index_frame == 2 && header_hash_frame == 3 &&
                  old_object_frame == 4 && footer_hash_frame == 5 && footer_index_frame == 6 &&
                  footer_metadata_frame == 7 && preceder_frame == 8 && object_frame == 9,
              "types of §2.3");
static_assert(cbor_after_payload_flag == 1 && hash_present_flag == 2 && frame_header_size == 16);
static_assert(object_type(2) == 4 && object_type(3) == 9);
static_assert(phase::header < phase::body && phase::body < phase::footer && phase::footer < phase::unknown);

BOOST_AUTO_TEST_CASE(all_other_types_are_unknown_and_no_objects) {
  unsigned wrong = 0;
  for (unsigned type = 10; type < 65536; ++type)
    for (const unsigned version : {2u, 3u}) {
      wrong += phase_of(static_cast<std::uint16_t>(type), version) != phase::unknown;
      wrong += is_object(static_cast<std::uint16_t>(type), version);
      wrong += tail_size(static_cast<std::uint16_t>(type), version) != (version == 2 ? 4u : 12u);
    }
  BOOST_TEST(wrong == 0u);
}

BOOST_AUTO_TEST_CASE(header_fields_are_where_the_specification_says) {
  const bytes data = header_of(0x0102, 0x0304, 0x0506, 0x0708090a0b0c0d0e) + "body";
  const auto h = parse_frame_header(span_of(data));
  BOOST_REQUIRE(h.has_value());
  BOOST_TEST(h->type == 0x0102u);
  BOOST_TEST(h->version == 0x0304u);
  BOOST_TEST(h->flags == 0x0506u);
  BOOST_TEST(h->length == 0x0708090a0b0c0d0eu);
}

BOOST_AUTO_TEST_CASE(every_type_and_any_frame_version_is_read) {
  unsigned wrong = 0;
  for (unsigned type = 0; type < 65536; type += 7) {
    const bytes data = header_of(static_cast<std::uint16_t>(type), static_cast<std::uint16_t>(65535 - type), 3, type);
    const auto h = parse_frame_header(span_of(data));
    wrong += !h || h->type != type || h->version != 65535 - type || h->flags != 3 || h->length != type;
  }
  BOOST_TEST(wrong == 0u);
}

BOOST_AUTO_TEST_CASE(a_truncated_header_is_not_read) {
  const bytes whole = header_of(9, 1, 3, 36);
  guarded_bytes memory(whole.size());
  for (std::size_t size = 0; size < whole.size(); ++size)
    BOOST_TEST(!parse_frame_header(memory.hold(whole.substr(0, size))), "of " << size);
  BOOST_TEST(parse_frame_header(memory.hold(whole)).has_value());
}

BOOST_AUTO_TEST_CASE(a_header_needs_its_magic) {
  for (const auto* magic : {"fR", "Fr", "RF", "EN", "TE", "\0\0", "F\0", "\0R"}) {
    bytes data = header_of(9, 1, 3, 36);
    data[0] = magic[0];
    data[1] = magic[1];
    BOOST_TEST(!parse_frame_header(span_of(data)));
  }
}

BOOST_AUTO_TEST_CASE(frame_flags_are_the_bits_of_the_specification) {
  BOOST_TEST(cbor_after_payload_flag == 1);
  BOOST_TEST(hash_present_flag == 2);
}

BOOST_AUTO_TEST_CASE(headers_are_written_byte_by_byte) {
  bytes out(20, '\xaa');
  put_frame_header(reinterpret_cast<std::byte*>(out.data()) + 2,
                   {.type = 0x0102, .version = 0x0304, .flags = 0x0506, .length = 0x1112131415161718});
  BOOST_TEST(out == bytes("\xaa\xaa"
                          "FR\1\2\3\4\5\6\x11\x12\x13\x14\x15\x16\x17\x18\xaa\xaa"));
}

BOOST_AUTO_TEST_CASE(tails_are_written_byte_by_byte) {
  const auto tail = [](std::uint16_t type, unsigned version) {
    bytes out(22, '\xaa');
    put_frame_tail(reinterpret_cast<std::byte*>(out.data()) + 1,
                   {.cbor_offset = 0x0102030405060708, .hash = 0x1112131415161718}, type, version);
    return out;
  };
  const bytes offset = "\1\2\3\4\5\6\7\x08", hash = "\x11\x12\x13\x14\x15\x16\x17\x18";
  BOOST_TEST(tail(9, 3) == "\xaa" + offset + hash + "ENDF" + bytes(1, '\xaa'));
  BOOST_TEST(tail(1, 3) == "\xaa" + hash + "ENDF" + bytes(9, '\xaa'));
  BOOST_TEST(tail(4, 2) == "\xaa" + offset + "ENDF" + bytes(9, '\xaa'));
  BOOST_TEST(tail(1, 2) == "\xaa" + bytes("ENDF") + bytes(17, '\xaa'));
  BOOST_TEST(stored_hash(span_of(tail(9, 3).substr(0, 21))) == 0x1112131415161718u);
}

BOOST_AUTO_TEST_CASE(a_new_tail_has_no_offset_and_no_hash) {
  BOOST_TEST(frame_tail{}.cbor_offset == 0u);
  BOOST_TEST(frame_tail{}.hash == 0u);
}

BOOST_AUTO_TEST_CASE(the_end_marker_belongs_to_its_frame) {
  const bytes data = "xxxx" + bytes(16, 'h') + "ENDF" + bytes(20, 'x');
  for (std::uint64_t at = 0; at <= 8; ++at)
    for (std::uint64_t length = 4; length <= 28; ++length)
      BOOST_TEST(frame_ends(span_of(data), at, length) == (at + length == 24), at << " and " << length);
}

BOOST_AUTO_TEST_SUITE_END()
