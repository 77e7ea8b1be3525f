// SPDX-License-Identifier: Apache-2.0
// The two messages that the specification gives byte by byte (§10.1, §10.2).
#include <boost/test/unit_test.hpp>
#include <optional>
#include <support/bytes.hpp>
#include <vector>

#include "wire/frame.hpp"
#include "wire/postamble.hpp"
#include "wire/preamble.hpp"

using namespace tgmap_test;
using namespace tgmap::wire;

BOOST_AUTO_TEST_SUITE(worked_example_test)

namespace {

/// Converts hexadecimal digits to bytes; ignores all other characters.
bytes from_hex(std::string_view digits) {
  bytes out;
  int high = -1;
  for (const char c : digits) {
    const int n = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
    if (n < 0) continue;
    if (high < 0) {
      high = n;
    } else {
      out += static_cast<char>(high * 16 + n);
      high = -1;
    }
  }
  return out;
}

/// §10.1: version 2, big-endian floats 1 2 3 4.
bytes version_2_message() {
  return from_hex(
             "54454e534f47524d 0002 0015 00000000 0000000000000199"
             "4652 0001 0001 0000 000000000000001e"
             "a1 67") +
         "version" +
         from_hex(
             "02 454e4446 0000"
             "4652 0002 0001 0000 0000000000000039"
             "a3 67") +
         "lengths" + from_hex("81 18c1 67") + "offsets" + from_hex("81 18c8 6c") + "object_count" +
         from_hex(
             "01 454e4446 00000000000000"
             "4652 0003 0001 0000 000000000000004b"
             "a3 66") +
         "hashes" + from_hex("81 70") + "08c1386abbbc4a61" + from_hex("69") + "hash_type" + from_hex("64") + "xxh3" +
         from_hex("6c") + "object_count" +
         from_hex(
             "01 454e4446 0000000000"
             "4652 0004 0001 0001 00000000000000c1"
             "3f800000 40000000 40400000 40800000"
             "aa 64") +
         "hash" + from_hex("a2 64") + "type" + from_hex("64") + "xxh3" + from_hex("65") + "value" + from_hex("70") +
         "08c1386abbbc4a61" + from_hex("64") + "ndim" + from_hex("01 64") + "type" + from_hex("67") + "ntensor" +
         from_hex("65") + "dtype" + from_hex("67") + "float32" + from_hex("65") + "shape" + from_hex("8104 66") +
         "filter" + from_hex("64") + "none" + from_hex("67") + "strides" + from_hex("8101 68") + "encoding" +
         from_hex("64") + "none" + from_hex("6a") + "byte_order" + from_hex("63") + "big" + from_hex("6b") +
         "compression" + from_hex("64") + "none" +
         from_hex(
             "0000000000000020 454e4446"
             "0000000000000189") +
         "39277777";
}

/// §10.2: version 3. Bodies that the specification leaves out are filled up to their lengths.
bytes version_3_message() {
  bytes out = from_hex(
      "54454e534f47524d 0003 0095 00000000 0000000000000250"
      "4652 0001 0001 0002 00000000000000f5");
  out += bytes(217, 'm') + from_hex("0a23ff60cb2ee306 454e4446 000000");
  out += from_hex("4652 0002 0001 0002 0000000000000034 a2 67") + "lengths" + from_hex("81 18a2 67") + "offsets" +
         from_hex("81 190190 0ff45fc0f9ff4638 454e4446 00000000");
  out += from_hex("4652 0003 0001 0002 0000000000000045 a2 66") + "hashes" + from_hex("81 70") + "3aeac8603f519c1d" +
         from_hex("69") + "algorithm" + from_hex("64") + "xxh3" + from_hex("0000000000000000 454e4446 000000");
  out += from_hex("4652 0009 0001 0003 00000000000000a2") + bytes(16, 'p') + bytes(110, 'd') +
         from_hex("0000000000000020 3aeac8603f519c1d 454e4446 000000000000");
  return out + from_hex("0000000000000238 0000000000000250") + "39277777";
}

struct met_frame {
  std::uint64_t at;
  frame_header header;
};

/// The plain walk of §2.5: frame, padding, frame, up to the postamble.
std::vector<met_frame> frames_of(const bytes& data, std::uint64_t end) {
  std::vector<met_frame> out;
  for (std::uint64_t at = preamble_size; at < end;) {
    const auto header = parse_frame_header(span_of(data).subspan(at));
    BOOST_REQUIRE(header.has_value());
    BOOST_REQUIRE(fits(at, header->length, end));
    BOOST_TEST(starts_with(span_of(data), at + header->length - frame_end_magic.size(), frame_end_magic));
    out.push_back({at, *header});
    const std::uint64_t next = align8(at + header->length);
    at = next < end ? next : end;
  }
  return out;
}

void check(const std::vector<met_frame>& frames, const std::vector<std::array<std::uint64_t, 4>>& expected) {
  BOOST_REQUIRE(frames.size() == expected.size());
  for (std::size_t i = 0; i < frames.size(); ++i) {
    BOOST_TEST(frames[i].at == expected[i][0]);
    BOOST_TEST(frames[i].header.type == expected[i][1]);
    BOOST_TEST(frames[i].header.flags == expected[i][2]);
    BOOST_TEST(frames[i].header.length == expected[i][3]);
    BOOST_TEST(frames[i].header.version == 1u);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(version_2_byte_by_byte) {
  const bytes data = version_2_message();
  BOOST_REQUIRE(data.size() == 409u);
  const auto start = parse_preamble(span_of(data));
  BOOST_REQUIRE(start.has_value());
  BOOST_TEST(start->version == 2u);
  BOOST_TEST(start->flags == (header_metadata_flag | header_index_flag | header_hashes_flag));
  BOOST_TEST(start->total_length == data.size());

  const std::uint64_t end = data.size() - postamble_size(2);
  const auto last = parse_postamble(span_of(data).subspan(end), 2);
  BOOST_REQUIRE(last.has_value());
  BOOST_TEST(last->first_footer_offset == end);
  check(frames_of(data, end), {{24, 1, 0, 30}, {56, 2, 0, 57}, {120, 3, 0, 75}, {200, 4, 1, 193}});

  const std::uint64_t object_end = 200 + 193;
  const auto cbor_offset = load_be<std::uint64_t>(span_of(data), object_end - tail_size(4, 2));
  BOOST_TEST(cbor_offset == 32u);
  BOOST_TEST(view_of(span_of(data).subspan(216, 4)) == bytes("\x3f\x80\0\0", 4));
}

BOOST_AUTO_TEST_CASE(version_3_byte_by_byte) {
  const bytes data = version_3_message();
  BOOST_REQUIRE(data.size() == 592u);
  const auto start = parse_preamble(span_of(data));
  BOOST_REQUIRE(start.has_value());
  BOOST_TEST(start->version == 3u);
  BOOST_TEST(start->flags == 0x95u);
  BOOST_TEST(start->total_length == data.size());

  const std::uint64_t end = data.size() - postamble_size(3);
  const auto last = parse_postamble(span_of(data).subspan(end), 3);
  BOOST_REQUIRE(last.has_value());
  BOOST_TEST(last->first_footer_offset == 568u);
  BOOST_TEST(last->total_length == data.size());
  check(frames_of(data, end), {{24, 1, 2, 245}, {0x110, 2, 2, 52}, {0x148, 3, 2, 69}, {400, 9, 3, 162}});

  const std::uint64_t tail = 400 + 162 - tail_size(9, 3);
  BOOST_TEST(tail == 0x21eu);
  BOOST_TEST(load_be<std::uint64_t>(span_of(data), tail) == 32u);
  BOOST_TEST(load_be<std::uint64_t>(span_of(data), tail + 8) == 0x3aeac8603f519c1du);
}

BOOST_AUTO_TEST_SUITE_END()
