// SPDX-License-Identifier: Apache-2.0
#include "outcome.hpp"

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(rle_test)

namespace {

constexpr auto rle = tgmap::compression::rle;
using namespace std::string_literals;

}  // namespace

BOOST_AUTO_TEST_CASE(bits_behind_their_number) {
  check_sound(rle, big_endian(24, 4) + "\x01\x04\x0c\x08"s, "\xf0\x00\xff"s);
  BOOST_TEST(!decompress(rle, big_endian(0, 4), 0).why);
}

BOOST_AUTO_TEST_CASE(runs_that_tell_of_more_or_less) {
  const auto more = decompress(rle, big_endian(24, 4) + "\x01\x20"s, 3).why;
  BOOST_TEST((more.code == tgmap::errc::decoded_size_mismatch));
  BOOST_TEST(more.expected == 3);
  BOOST_TEST(more.found == 4);
  BOOST_TEST((decompress(rle, big_endian(24, 4) + "\x01\x10"s, 3).why.code == tgmap::errc::codec_failed));
  BOOST_TEST((decompress(rle, "\0\0\0"s, 0).why.code == tgmap::errc::codec_failed));
}

BOOST_AUTO_TEST_CASE(a_number_of_bits_that_is_not_the_outputs) {
  const auto why = decompress(rle, big_endian(UINT32_MAX, 4) + "\x01\x04"s, 3).why;
  BOOST_TEST((why.code == tgmap::errc::decoded_size_mismatch));
  BOOST_TEST(why.found == 1u << 29);
}

BOOST_AUTO_TEST_CASE(hostile) {
  check_hostile(rle, big_endian(400, 4) + "\x01\x04\x0c\x08\x85\x01\xf3\x01"s,
                "\xf0\x00\xff"s + bytes(16, '\0') + "\x07"s + bytes(30, '\xff'));
}

BOOST_AUTO_TEST_SUITE_END()
