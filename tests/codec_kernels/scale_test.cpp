// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdint>
#include <limits>

#include "codec/simple_packing.hpp"

using namespace tgmap::codec;

BOOST_AUTO_TEST_SUITE(scale_test)

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

BOOST_AUTO_TEST_CASE(powers_of_two_are_exact) {
  for (int e = -1023; e <= 1023; ++e) BOOST_TEST(scale_of(e, 0) == std::ldexp(1.0, e), "2^" << e);
}

// Beyond the range of a double the positive power is infinite and its reciprocal zero; writers go as far as 256.
BOOST_AUTO_TEST_CASE(beyond_the_range) {
  BOOST_TEST(scale_of(1024, 0) == infinity);
  BOOST_TEST(scale_of(-1024, 0) == 0.0);
  BOOST_TEST(scale_of(0, 309) == 0.0);
  BOOST_TEST(scale_of(0, -309) == infinity);
  BOOST_TEST(scale_of(INT32_MAX, 0) == infinity);
  BOOST_TEST(scale_of(INT32_MIN, 0) == 0.0);
  BOOST_TEST(scale_of(0, INT32_MAX) == 0.0);
  BOOST_TEST(scale_of(0, INT32_MIN) == infinity);
  BOOST_TEST(std::isnan(scale_of(2000, 2000)));
}

BOOST_AUTO_TEST_CASE(powers_of_ten_that_are_exact) {
  double power = 1;
  for (int d = 0; d <= 22; ++d, power *= 10) {
    BOOST_TEST(scale_of(0, -d) == power, "10^" << d);
    BOOST_TEST(scale_of(0, d) == 1 / power, "10^-" << d);
    BOOST_TEST(scale_of(-d, d) == std::ldexp(1.0, -d) * (1 / power));
  }
}

// Where squaring rounds, the last bits are not those of the nearest double: __powidf2 of compiler-rt computed these.
BOOST_AUTO_TEST_CASE(as_repeated_squaring_rounds) {
  BOOST_TEST(scale_of(0, -284) == 0x1.585041b2c4781p+943);
  BOOST_TEST(scale_of(0, -234) == 0x1.420eb449c8846p+777);
  BOOST_TEST(scale_of(0, -184) == 0x1.2d3d6f88f0b3fp+611);
  BOOST_TEST(scale_of(0, -134) == 0x1.19c4a53c4e699p+445);
  BOOST_TEST(scale_of(0, -83) == 0x1.a5b01b605557cp+275);
  BOOST_TEST(scale_of(0, 70) == 0x1.615e91d8f359cp-233);
  BOOST_TEST(scale_of(0, 127) == 0x1.1544581b7dec1p-422);
  BOOST_TEST(scale_of(0, 178) == 0x1.9ef3993b72ab5p-592);
  BOOST_TEST(scale_of(0, 228) == 0x1.8421286c9bf68p-758);
  BOOST_TEST(scale_of(0, 278) == 0x1.6b0a8e891fffcp-924);
  BOOST_TEST(scale_of(-10, 2) == 0x1.47ae147ae147bp-17);
  BOOST_TEST(scale_of(3, 30) == 0x1.4484bfeebc29fp-97);
  BOOST_TEST(scale_of(-256, -50) == 0x1.11b0ec57e649ap-90);
  BOOST_TEST(scale_of(256, 100) == 0x1.bff2ee48e052ep-77);
  BOOST_TEST(scale_of(-20, 23) == 0x1.82db34012b252p-97);
  BOOST_TEST(scale_of(7, -23) == 0x1.52d02c7e14af6p+83);
}

BOOST_AUTO_TEST_SUITE_END()
