// SPDX-License-Identifier: Apache-2.0
// Known answers, written out by hand from §7.1.
#include <boost/test/unit_test.hpp>
#include <codec_kernels/unpacked.hpp>
#include <initializer_list>

using namespace tgmap::codec;
using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(unpack_known_test)

namespace {

void check(std::string_view packed, unsigned bits, double reference, double scale,
           std::initializer_list<double> expected) {
  for (const auto unpacks : {unpack, unpack_plain}) {
    std::vector<double> out(expected.size());
    BOOST_TEST(unpacks(span_of(packed), bits, reference, scale, 0, out));
    BOOST_TEST(out == std::vector<double>(expected), boost::test_tools::per_element());
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_high_bit_comes_first) {
  check("\xa0", 1, 0, 1, {1, 0, 1, 0, 0, 0, 0, 0});
  check("\x12\x34\x56", 12, 0, 1, {0x123, 0x456});
  check("\x12\x34\x56\x78\x90", 12, 0, 1, {0x123, 0x456, 0x789});
  check("\xff\x01", 8, 0, 1, {255, 1});
  check("\x01\x02\x03\x04", 16, 0, 1, {0x0102, 0x0304});
  check("\x01\x02\x03\xff\xff\xff", 24, 0, 1, {0x010203, 0xffffff});
  check("\xff\xff\xff\xff", 32, 0, 1, {4294967295.0});
  check(std::string_view("\x80\0\0\0\0\0\0\0", 8), 64, 0, 1, {9223372036854775808.0});
  check("\xe5\x80", 3, 0, 1, {7, 1, 3, 0, 0});
}

BOOST_AUTO_TEST_CASE(the_reference_is_not_scaled) {
  check("\x01\x02", 8, 100, scale_of(3, 0), {108, 116});
  check("\x0a\x14", 8, -5, scale_of(0, 1), {-4, -3});
  check("\x0a", 8, 0.5, scale_of(1, -2), {2000.5});
}

// 2^53 + 1 and 2^64 - 1 are no doubles; whole numbers become the nearest one, of two as near the even one.
BOOST_AUTO_TEST_CASE(large_numbers_are_rounded_once) {
  check(std::string_view("\0\x20\0\0\0\0\0\x01", 8), 64, 0, 1, {9007199254740992.0});
  check(std::string_view("\0\x20\0\0\0\0\0\x03", 8), 64, 0, 1, {9007199254740996.0});
  check("\xff\xff\xff\xff\xff\xff\xff\xff", 64, 0, 1, {18446744073709551616.0});
  check("\xff\xff\xff\xff\xff\xff\xfb\xff", 64, 0, 1, {18446744073709549568.0});
  check("\xff\xff\xff\xff\xff\xff\xfc", 54, 0, 1, {18014398509481984.0});
}

BOOST_AUTO_TEST_SUITE_END()
