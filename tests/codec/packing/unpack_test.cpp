// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <codec/packing/unpacked.hpp>
#include <cstdint>
#include <initializer_list>
#include <limits>

#include "codec/packing/unpack.hpp"

using namespace tgmap::codec;
using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(unpack_test)

BOOST_AUTO_TEST_CASE(every_width_offset_and_length_by_the_plain_loop) { check_unpacking(unpack_plain, "plain"); }
BOOST_AUTO_TEST_CASE(every_width_offset_and_length_by_the_fast_kernels) { check_unpacking(unpack, "fast"); }

BOOST_AUTO_TEST_CASE(long_fields_equal_the_plain_loop) {
  const bytes packed = noise(64 * 1024);
  for (unsigned bits = 1; bits <= 64; ++bits) {
    const std::size_t count = packed.size() * 8 / bits;
    std::vector<double> fast(count), slow(count);
    BOOST_TEST(unpack(span_of(packed), bits, -273.15, 1e-3, 0, fast));
    BOOST_TEST(unpack_plain(span_of(packed), bits, -273.15, 1e-3, 0, slow));
    BOOST_TEST(same_bits(fast, slow), bits << " bits");
  }
}

// Shows that the test above detects a fused multiplication and addition: the values would differ.
BOOST_AUTO_TEST_CASE(fused_operation_would_be_detected) {
  unsigned differ = 0;
  for (unsigned number = 0; number < 1000; ++number)
    differ +=
        std::fma(packed_scale, number, packed_reference) != unpacked_value(number, packed_reference, packed_scale);
  BOOST_TEST(differ > 100u);
}

BOOST_AUTO_TEST_CASE(capacity_of_bytes) {
  BOOST_TEST(packed_size(0, 64).value() == 0u);
  BOOST_TEST(packed_size(3, 12).value() == 5u);
  BOOST_TEST(packed_size(8, 1).value() == 1u);
  BOOST_TEST(packed_size(9, 1).value() == 2u);
  BOOST_TEST(packed_size(UINT64_MAX, 0).value() == 0u);
  BOOST_TEST(packed_size(UINT64_MAX, 1).value() == UINT64_MAX / 8 + 1);
  BOOST_TEST(!packed_size(UINT64_MAX, 2));
  BOOST_TEST(!packed_size(std::uint64_t{1} << 58, 64));

  const bytes five(5, '\0');
  BOOST_TEST(holds_packed(span_of(five), 12, 0, 3));
  BOOST_TEST(holds_packed(span_of(five), 12, 3, 0));
  BOOST_TEST(!holds_packed(span_of(five), 12, 0, 4));
  BOOST_TEST(!holds_packed(span_of(five), 12, 4, 0));
  BOOST_TEST(!holds_packed(span_of(five), 12, UINT64_MAX, 2));
  BOOST_TEST(!holds_packed(span_of(five), 64, std::uint64_t{1} << 58, 0));
  BOOST_TEST(holds_packed({}, 0, 1000, 1000));
  BOOST_TEST(!holds_packed(span_of(five), 65, 0, 0));
}

BOOST_AUTO_TEST_CASE(no_input_writes_nothing) {
  const bytes packed(5, '\0');
  for (const auto unpacks : {unpack, unpack_plain}) {
    std::vector<double> out(4, 7.0);
    BOOST_TEST(!unpacks(span_of(packed), 12, 0, 1, 0, out));
    BOOST_TEST(!unpacks(span_of(packed), 12, 0, 1, UINT64_MAX - 1, out));
    BOOST_TEST(!unpacks(span_of(packed), 65, 0, 1, 0, std::span(out).first(0)));
    BOOST_TEST((out == std::vector<double>(4, 7.0)));
  }
}

BOOST_AUTO_TEST_CASE(zero_bits_give_the_reference_value) {
  for (const auto unpacks : {unpack, unpack_plain}) {
    std::vector<double> out(3, 7.0);
    BOOST_TEST(unpacks({}, 0, -0.0, std::numeric_limits<double>::infinity(), 5, out));
    for (const double value : out) BOOST_TEST((value == 0 && std::signbit(value)));
  }
}

BOOST_AUTO_TEST_SUITE_END()

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

// 2^53 + 1 and 2^64 - 1 are no doubles. Integers are rounded to the nearest double, ties to even.
BOOST_AUTO_TEST_CASE(large_numbers_are_rounded_once) {
  check(std::string_view("\0\x20\0\0\0\0\0\x01", 8), 64, 0, 1, {9007199254740992.0});
  check(std::string_view("\0\x20\0\0\0\0\0\x03", 8), 64, 0, 1, {9007199254740996.0});
  check("\xff\xff\xff\xff\xff\xff\xff\xff", 64, 0, 1, {18446744073709551616.0});
  check("\xff\xff\xff\xff\xff\xff\xfb\xff", 64, 0, 1, {18446744073709549568.0});
  check("\xff\xff\xff\xff\xff\xff\xfc", 54, 0, 1, {18014398509481984.0});
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(scale_test)

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

BOOST_AUTO_TEST_CASE(powers_of_two_are_exact) {
  for (int e = -1023; e <= 1023; ++e) BOOST_TEST(scale_of(e, 0) == std::ldexp(1.0, e), "2^" << e);
}

// Outside the range of double the power is infinite and its reciprocal zero. Writers use up to 256.
BOOST_AUTO_TEST_CASE(numbers_beyond_the_range) {
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

// If squaring rounds, the last bits differ from the nearest double. __powidf2 of compiler-rt computed these values.
BOOST_AUTO_TEST_CASE(rounding_of_repeated_squaring) {
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
