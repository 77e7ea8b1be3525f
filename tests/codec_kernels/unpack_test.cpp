// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <codec_kernels/unpacked.hpp>
#include <limits>

using namespace tgmap::codec;
using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(unpack_test)

BOOST_AUTO_TEST_CASE(every_width_offset_and_length_plainly) { check_unpacking(unpack_plain, "plain"); }
BOOST_AUTO_TEST_CASE(every_width_offset_and_length_fast) { check_unpacking(unpack, "fast"); }

BOOST_AUTO_TEST_CASE(long_fields_are_as_by_the_plain_loop) {
  const bytes packed = noise(64 * 1024);
  for (unsigned bits = 1; bits <= 64; ++bits) {
    const std::size_t count = packed.size() * 8 / bits;
    std::vector<double> fast(count), slow(count);
    BOOST_TEST(unpack(span_of(packed), bits, -273.15, 1e-3, 0, fast));
    BOOST_TEST(unpack_plain(span_of(packed), bits, -273.15, 1e-3, 0, slow));
    BOOST_TEST(same_bits(fast, slow), bits << " bits");
  }
}

// The test above can tell: were multiplication and addition one operation, these values would differ.
BOOST_AUTO_TEST_CASE(a_fused_operation_would_show) {
  unsigned differ = 0;
  for (unsigned number = 0; number < 1000; ++number)
    differ +=
        std::fma(packed_scale, number, packed_reference) != unpacked_value(number, packed_reference, packed_scale);
  BOOST_TEST(differ > 100u);
}

BOOST_AUTO_TEST_CASE(what_bytes_hold) {
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

BOOST_AUTO_TEST_CASE(nothing_is_written_of_what_is_not_there) {
  const bytes packed(5, '\0');
  for (const auto unpacks : {unpack, unpack_plain}) {
    std::vector<double> out(4, 7.0);
    BOOST_TEST(!unpacks(span_of(packed), 12, 0, 1, 0, out));
    BOOST_TEST(!unpacks(span_of(packed), 12, 0, 1, UINT64_MAX - 1, out));
    BOOST_TEST(!unpacks(span_of(packed), 65, 0, 1, 0, std::span(out).first(0)));
    BOOST_TEST((out == std::vector<double>(4, 7.0)));
  }
}

BOOST_AUTO_TEST_CASE(no_bits_are_the_reference_whatever_the_scale) {
  for (const auto unpacks : {unpack, unpack_plain}) {
    std::vector<double> out(3, 7.0);
    BOOST_TEST(unpacks({}, 0, -0.0, std::numeric_limits<double>::infinity(), 5, out));
    for (const double value : out) BOOST_TEST((value == 0 && std::signbit(value)));
  }
}

BOOST_AUTO_TEST_SUITE_END()
