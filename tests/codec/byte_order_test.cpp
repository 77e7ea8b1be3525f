// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <codec/noise.hpp>
#include <support/guarded.hpp>

#include "codec/byte_order.hpp"

using namespace tgmap::codec;
using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(byte_order_test)

namespace {

bytes reversed_by(std::size_t unit, bytes data) {
  for (auto at = data.begin(); at != data.end(); at += static_cast<std::ptrdiff_t>(unit))
    std::reverse(at, at + static_cast<std::ptrdiff_t>(unit));
  return data;
}

}  // namespace

BOOST_AUTO_TEST_CASE(written_out) {
  bytes out(8, '\0');
  swap_bytes(span_of("abcdefgh"), 2, writable(out));
  BOOST_TEST(out == "badcfehg");
  swap_bytes(span_of("abcdefgh"), 4, writable(out));
  BOOST_TEST(out == "dcbahgfe");
  swap_bytes(span_of("abcdefgh"), 8, writable(out));
  BOOST_TEST(out == "hgfedcba");
  swap_bytes(span_of("abcdefgh"), 1, writable(out));
  BOOST_TEST(out == "abcdefgh");
}

BOOST_AUTO_TEST_CASE(every_length_up_to_the_last_readable_byte) {
  guarded_bytes last(512);
  for (const std::size_t unit : {1, 2, 4, 8})
    for (std::size_t size = 0; size <= 160; size += unit) {
      const bytes data = noise(size, static_cast<unsigned>(size)), expected = reversed_by(unit, data);
      bytes framed(size + 2, '#');  // unaligned; the bytes around it stay unchanged
      swap_bytes(last.hold(data), unit, writable(framed).subspan(1, size));
      BOOST_TEST(framed == '#' + expected + '#', "unit " << unit << ", " << size << " bytes");

      bytes in_place = '#' + data + '#';
      swap_bytes(writable(in_place).subspan(1, size), unit);
      BOOST_TEST(in_place == '#' + expected + '#', "in place, unit " << unit << ", " << size << " bytes");
    }
}

BOOST_AUTO_TEST_SUITE_END()
