// SPDX-License-Identifier: Apache-2.0
// Half-width floats widen exactly.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <tgmap/dtype.hpp>

using tgmap::bfloat16;
using tgmap::float16;

BOOST_AUTO_TEST_SUITE(half_test)

namespace {

/// Computes the value by the definition of binary16, without bits of binary32.
double by_definition(std::uint16_t bits) {
  const double sign = bits & 0x8000u ? -1 : 1;
  const int exponent = (bits >> 10) & 31;
  const double fraction = bits & 1023u;
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  return sign * std::ldexp(1024 + fraction, exponent - 25);
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_float16_widens_exactly) {
  unsigned wrong = 0;
  for (std::uint32_t bits = 0; bits < 65536; ++bits) {
    const float16 half{static_cast<std::uint16_t>(bits)};
    const float wide = static_cast<float>(half);
    if ((bits & 0x7c00u) == 0x7c00u)
      wrong += bits & 0x3ffu ? !std::isnan(wide) : !(std::isinf(wide) && std::signbit(wide) == (bits >= 0x8000u));
    else
      wrong += static_cast<double>(wide) != by_definition(half.bits) || std::signbit(wide) != (bits >= 0x8000u);
  }
  BOOST_TEST(wrong == 0u);
}

BOOST_AUTO_TEST_CASE(payloads_of_nan_are_kept) {
  BOOST_TEST(std::bit_cast<std::uint32_t>(static_cast<float>(float16{0x7e01})) == 0x7fc02000u);
  BOOST_TEST(std::bit_cast<std::uint32_t>(static_cast<float>(float16{0xfd00})) == 0xffa00000u);
}

BOOST_AUTO_TEST_CASE(every_bfloat16_is_the_upper_half_of_a_float) {
  unsigned wrong = 0;
  for (std::uint32_t bits = 0; bits < 65536; ++bits)
    wrong += std::bit_cast<std::uint32_t>(static_cast<float>(bfloat16{static_cast<std::uint16_t>(bits)})) != bits << 16;
  BOOST_TEST(wrong == 0u);
}

BOOST_AUTO_TEST_CASE(equality_compares_bits) {
  BOOST_TEST((float16{0x7e00} == float16{0x7e00}));
  BOOST_TEST((float16{0x0000} != float16{0x8000}));
  BOOST_TEST((bfloat16{0x7fc0} == bfloat16{0x7fc0}));
}

BOOST_AUTO_TEST_SUITE_END()
