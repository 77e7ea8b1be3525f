// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <random>
#include <support/bytes.hpp>
#include <support/failures.hpp>
#include <tgmap/error.hpp>

#include "picture/mask_bits.hpp"

using namespace tgmap::picture;
using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(mask_bits_of)

namespace {

tgmap::mask by(const char* method) { return {.method = tgmap::short_name(method)}; }

std::string bits_of(const char* method, const bytes& blob, std::uint64_t elements) {
  try {
    const auto found = mask_bits(by(method), span_of(blob), elements);
    std::string out;
    for (std::uint64_t i = 0; i < elements; ++i)
      out += (std::to_integer<unsigned>(found.at(i / 8)) >> (7 - i % 8) & 1) != 0 ? '1' : '0';
    return out;
  } catch (const tgmap::error& why) {
    return why.code() == tgmap::make_error_code(tgmap::errc::mask_range) ? "refused" : "something else";
  }
}

bytes runs_of(const std::string& bits) {
  bytes out(1, bits[0] == '1' ? '\1' : '\0');
  for (std::size_t i = 0; i < bits.size();) {
    std::size_t n = i;
    while (n < bits.size() && bits[n] == bits[i]) ++n;
    for (std::size_t left = n - i;; left >>= 7) {
      out += static_cast<char>((left & 0x7f) | (left > 0x7f ? 0x80 : 0));
      if (left <= 0x7f) break;
    }
    i = n;
  }
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(methods_without_a_codec) {
  BOOST_TEST(readable(by("none")));
  BOOST_TEST(readable(by("rle")));
  for (const char* method : {"roaring", "lz4", "zstd", "blosc2", "", "NONE"}) BOOST_TEST(!readable(by(method)));
}

BOOST_AUTO_TEST_CASE(plain_bits) {
  BOOST_TEST(bits_of("none", "\xa0", 4) == "1010");
  BOOST_TEST(bits_of("none", "\xff\x80", 9) == "111111111");
  BOOST_TEST(bits_of("none", "", 0) == "");
  BOOST_TEST(bits_of("none", "\xff", 9) == "refused");
  BOOST_TEST(bits_of("none", "\xff\xff", 8) == "refused");
}

BOOST_AUTO_TEST_CASE(runs) {
  BOOST_TEST(bits_of("rle", bytes("\0\2\3", 3), 5) == "00111");
  BOOST_TEST(bits_of("rle", bytes("\1\5", 2), 5) == "11111");
  BOOST_TEST(bits_of("rle", "", 0) == "");
}

BOOST_AUTO_TEST_CASE(runs_that_lie_are_refused) {
  for (const bytes& blob :
       {bytes(), bytes("\0", 1), bytes("\2\5", 2), bytes("\0\4", 2), bytes("\0\6", 2), bytes("\0\0\5", 3),
        bytes("\0\5\1", 3), bytes("\0\x85", 2), bytes("\0\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11),
        bytes("\0\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 12)})
    BOOST_TEST(bits_of("rle", blob, 5) == "refused");
  BOOST_TEST(bits_of("rle", bytes("\0\1", 2), 0) == "refused");
}

BOOST_AUTO_TEST_CASE(any_runs) {
  std::mt19937 random(4);
  for (int round = 0; round < 300; ++round) {
    std::string bits;
    while (bits.size() < 2000 && (bits.empty() || random() % 20 != 0))
      bits.append(1 + random() % (round % 2 == 0 ? 9 : 400), random() % 2 == 0 ? '0' : '1');
    BOOST_TEST(bits_of("rle", runs_of(bits), bits.size()) == bits);
  }
}

BOOST_AUTO_TEST_CASE(masked_elements_are_replaced_wherever_they_lie) {
  const bytes bits("\x48\x80", 2);  // elements 1, 4 and 8
  std::vector<double> out(9, 5);
  put_masked(span_of(bits), value_of(tgmap::mask_kind::nan), 0, 1, out);
  for (std::size_t i = 0; i < out.size(); ++i) BOOST_TEST(std::isnan(out[i]) == (i == 1 || i == 4 || i == 8));
  std::vector<double> every_third(3, 5);
  put_masked(span_of(bits), value_of(tgmap::mask_kind::negative_infinity), 1, 3, every_third);
  BOOST_TEST((every_third == std::vector<double>{-INFINITY, -INFINITY, 5}));
  BOOST_TEST(value_of(tgmap::mask_kind::positive_infinity) == INFINITY);
}

BOOST_AUTO_TEST_SUITE_END()
