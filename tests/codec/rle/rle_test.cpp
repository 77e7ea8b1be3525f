// SPDX-License-Identifier: Apache-2.0

#include "codec/rle/rle.hpp"
#include <codec/round_trip.hpp>

using namespace tgmap_test;
using namespace tgmap::codec;

BOOST_AUTO_TEST_SUITE(rle_test)

namespace {

constexpr auto rle = tgmap::compression::rle;
using namespace std::string_literals;

}  // namespace

BOOST_AUTO_TEST_CASE(bits_after_the_last_one) {
  check_sound(rle, big_endian(24, 4) + "\x01\x04\x0c\x08"s, "\xf0\x00\xff"s);
  BOOST_TEST(!decompress(rle, big_endian(0, 4), 0).why);
}

BOOST_AUTO_TEST_CASE(runs_of_wrong_total_length) {
  const auto more = decompress(rle, big_endian(24, 4) + "\x01\x20"s, 3).why;
  BOOST_TEST((more.code == tgmap::errc::decoded_size_mismatch));
  BOOST_TEST(more.expected == 3);
  BOOST_TEST(more.found == 4);
  BOOST_TEST((decompress(rle, big_endian(24, 4) + "\x01\x10"s, 3).why.code == tgmap::errc::codec_failed));
  BOOST_TEST((decompress(rle, "\0\0\0"s, 0).why.code == tgmap::errc::codec_failed));
}

BOOST_AUTO_TEST_CASE(wrong_number_of_bits) {
  const auto why = decompress(rle, big_endian(UINT32_MAX, 4) + "\x01\x04"s, 3).why;
  BOOST_TEST((why.code == tgmap::errc::decoded_size_mismatch));
  BOOST_TEST(why.found == 1u << 29);
}

BOOST_AUTO_TEST_CASE(damaged_streams) {
  check_hostile(rle, big_endian(400, 4) + "\x01\x04\x0c\x08\x85\x01\xf3\x01"s,
                "\xf0\x00\xff"s + bytes(16, '\0') + "\x07"s + bytes(30, '\xff'));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(bit_runs_test)

namespace {

/// Returns the bits as text, or "-" if the runs are rejected.
std::string bits_of(const bytes& runs, std::uint64_t bits) {
  bytes packed((bits + 7) / 8, '\x7e');
  std::uint64_t total = 0;
  if (!read_runs(span_of(runs), bits, std::as_writable_bytes(std::span(packed)), total)) return "-";
  BOOST_TEST(total == bits);
  std::string out;
  for (std::uint64_t i = 0; i < bits; ++i) out += (packed[i / 8] >> (7 - i % 8) & 1) ? '1' : '0';
  for (std::uint64_t i = bits; i < packed.size() * 8; ++i) BOOST_TEST((packed[i / 8] >> (7 - i % 8) & 1) == 0);
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(runs_alternate) {
  using namespace std::string_literals;
  BOOST_TEST(bits_of("\x01\x03\x02\x01"s, 6) == "111001");
  BOOST_TEST(bits_of("\x00\x03\x02\x01"s, 6) == "000110");
  BOOST_TEST(bits_of("\x01\x14"s, 20) == std::string(20, '1'));
  BOOST_TEST(bits_of("\x00\xac\x02\x01"s, 301) == std::string(300, '0') + "1");
  BOOST_TEST(bits_of(""s, 0) == "");
}

BOOST_AUTO_TEST_CASE(invalid_lists_of_runs) {
  using namespace std::string_literals;
  BOOST_TEST(bits_of(""s, 1) == "-");
  BOOST_TEST(bits_of("\x00"s, 0) == "-");              // no bits need no byte
  BOOST_TEST(bits_of("\x02\x01"s, 1) == "-");          // neither 0 nor 1
  BOOST_TEST(bits_of("\x01\x02\x00\x02"s, 4) == "-");  // an empty run
  BOOST_TEST(bits_of("\x01\x02"s, 3) == "-");          // too few
  BOOST_TEST(bits_of("\x01\x02\x02"s, 3) == "-");      // too many
  BOOST_TEST(bits_of("\x01\x80"s, 3) == "-");          // cut inside a number
  BOOST_TEST(bits_of("\x01"s + bytes(9, '\xff') + "\x01"s, 3) == "-");
  BOOST_TEST(bits_of("\x01"s + bytes(9, '\xff') + "\x02"s, 3) == "-");  // 65 bits
  BOOST_TEST(bits_of("\x01"s + bytes(12, '\x80') + "\x01"s, 3) == "-");
}

BOOST_AUTO_TEST_CASE(random_runs) {
  for (std::uint64_t first = 0; first < 20; ++first)
    for (std::uint64_t count = 0; first + count <= 40; ++count) {
      bytes packed(5, '\0');
      set_bits(std::as_writable_bytes(std::span(packed)), first, count);
      for (std::uint64_t i = 0; i < 40; ++i)
        BOOST_TEST_REQUIRE((packed[i / 8] >> (7 - i % 8) & 1) == (i >= first && i < first + count));
    }
}

BOOST_AUTO_TEST_SUITE_END()
