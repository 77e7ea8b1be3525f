// SPDX-License-Identifier: Apache-2.0
#include "convert/zlib.hpp"

#include <boost/crc.hpp>
#include <boost/test/unit_test.hpp>
#include <random>
#include <support/bytes.hpp>
#include <vector>

using namespace tgmap_test;
using namespace tgmap::convert;

BOOST_AUTO_TEST_SUITE(zlib)

BOOST_AUTO_TEST_CASE(the_check_value_of_crc32) {
  BOOST_TEST(crc32({}) == 0u);
  BOOST_TEST(crc32(span_of("123456789")) == 0xcbf43926u);
}

BOOST_AUTO_TEST_CASE(crc32_of_pieces_is_that_of_boost) {
  std::mt19937 random(1);
  std::vector<std::byte> data(5000);
  for (std::byte& each : data) each = static_cast<std::byte>(random());
  for (std::size_t length = 0; length < 300; ++length) {
    std::uint32_t sum = 0;
    boost::crc_32_type expected;
    for (std::size_t at = 0; at + length <= data.size(); at += length + length % 7 + 1) {
      sum = crc32(std::span(data).subspan(at, length), sum);
      expected.process_bytes(data.data() + at, length);
    }
    BOOST_TEST(sum == expected.checksum());
  }
}

BOOST_AUTO_TEST_CASE(inflated_size_is_bounded) {
  BOOST_TEST(can_inflate_to(0, 0));
  BOOST_TEST(can_inflate_to(1, 1032));
  BOOST_TEST(!can_inflate_to(0, 1032));
  BOOST_TEST(!can_inflate_to(1000, UINT64_MAX));
  BOOST_TEST(can_inflate_to(UINT64_MAX, UINT64_MAX));
}

BOOST_AUTO_TEST_SUITE_END()
