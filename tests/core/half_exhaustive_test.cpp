// SPDX-License-Identifier: Apache-2.0
// All 65,536 patterns of both half-width floats, by the definition of the formats instead of their bits.
#include <array>
#include <bit>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <tgmap/dtype.hpp>

using tgmap::bfloat16;
using tgmap::float16;

BOOST_AUTO_TEST_SUITE(half_exhaustive_test)

namespace {

/// Sign, exponent and fraction of a format; its value by arithmetic.
struct format {
  int exponent_bits, fraction_bits;

  long double value(unsigned bits) const {
    const int bias = (1 << (exponent_bits - 1)) - 1, most = (1 << exponent_bits) - 1;
    const int exponent = static_cast<int>(bits >> fraction_bits) & most;
    const long double fraction = static_cast<long double>(bits & ((1u << fraction_bits) - 1));
    const long double sign = bits >> (exponent_bits + fraction_bits) ? -1.0L : 1.0L;
    if (exponent == most) return fraction == 0 ? sign * INFINITY : NAN;
    if (exponent == 0) return sign * std::ldexp(fraction, 1 - bias - fraction_bits);
    return sign * std::ldexp(fraction + std::ldexp(1.0L, fraction_bits), exponent - bias - fraction_bits);
  }
};

template <class Half>
void check(const format& by_definition) {
  unsigned wrong = 0, nans = 0, infinities = 0, zeros = 0, first_wrong = 0;
  for (unsigned bits = 0; bits < 65536; ++bits) {
    const float wide = static_cast<float>(Half{static_cast<std::uint16_t>(bits)});
    const long double expected = by_definition.value(bits);
    const bool same = std::isnan(expected) ? std::isnan(wide) : static_cast<long double>(wide) == expected;
    const bool sign = std::signbit(wide) == (bits >= 0x8000u);
    if ((!same || !sign) && wrong++ == 0) first_wrong = bits;
    nans += std::isnan(wide);
    infinities += std::isinf(wide);
    zeros += wide == 0.0f;
  }
  BOOST_TEST(wrong == 0u, wrong << " patterns, the first is " << first_wrong);
  BOOST_TEST(nans == 2 * ((1u << by_definition.fraction_bits) - 1));
  BOOST_TEST(infinities == 2u);
  BOOST_TEST(zeros == 2u);
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_pattern_of_binary16) { check<float16>({5, 10}); }
BOOST_AUTO_TEST_CASE(every_pattern_of_bfloat16) { check<bfloat16>({8, 7}); }

BOOST_AUTO_TEST_CASE(nan_payloads_are_kept) {
  unsigned wrong = 0;
  for (unsigned fraction = 1; fraction < 1024; ++fraction)
    for (const unsigned sign : {0u, 0x8000u}) {
      const float wide = static_cast<float>(float16{static_cast<std::uint16_t>(sign | 0x7c00u | fraction)});
      wrong += (std::bit_cast<std::uint32_t>(wide) & 0x7fffffu) != fraction << 13;
    }
  BOOST_TEST(wrong == 0u);
}

BOOST_AUTO_TEST_CASE(halves_compare_by_their_bits) {
  BOOST_TEST((float16{0x7e00} == float16{0x7e00}));
  BOOST_TEST((float16{0x0000} != float16{0x8000}));
  BOOST_TEST((bfloat16{0x7fc0} == bfloat16{0x7fc0}));
  BOOST_TEST((bfloat16{0x0000} != bfloat16{0x8000}));
}

BOOST_AUTO_TEST_SUITE_END()
