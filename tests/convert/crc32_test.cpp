// SPDX-License-Identifier: Apache-2.0
#include "convert/crc32.hpp"

#include <boost/crc.hpp>
#include <boost/test/unit_test.hpp>
#include <random>
#include <support/bytes.hpp>
#include <vector>

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(crc32)

BOOST_AUTO_TEST_CASE(the_check_value) {
  tgmap::convert::crc32 sum;
  BOOST_TEST(sum.value() == 0u);
  sum.add(span_of("123456789"));
  BOOST_TEST(sum.value() == 0xcbf43926u);
}

BOOST_AUTO_TEST_CASE(pieces_of_every_length_give_what_boost_gives) {
  std::mt19937 random(1);
  std::vector<std::byte> data(5000);
  for (std::byte& each : data) each = static_cast<std::byte>(random());
  for (std::size_t length = 0; length < 300; ++length) {
    tgmap::convert::crc32 ours;
    boost::crc_32_type theirs;
    for (std::size_t at = 0; at + length <= data.size(); at += length + length % 7 + 1) {
      ours.add(std::span(data).subspan(at, length));
      theirs.process_bytes(data.data() + at, length);
    }
    BOOST_TEST(ours.value() == theirs.checksum());
  }
}

BOOST_AUTO_TEST_SUITE_END()
