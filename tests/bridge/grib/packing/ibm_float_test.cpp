// SPDX-License-Identifier: Apache-2.0
#include "bridge/grib/packing/ibm_float.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <random>

using namespace tgmap::bridge::grib;

BOOST_AUTO_TEST_SUITE(bridge_ibm_float)

// Known examples: the textbook's -118.625 is C276A000, 1 is 41100000.
BOOST_AUTO_TEST_CASE(known_numbers) {
  BOOST_TEST(from_ibm_float(0xC276A000) == -118.625);
  BOOST_TEST(from_ibm_float(0x41100000) == 1.0);
  BOOST_TEST(from_ibm_float(0) == 0.0);
  BOOST_TEST(from_ibm_float(0x7FFFFFFF) == std::ldexp(16777215.0, 252 - 24));
  BOOST_TEST(from_ibm_float(0x00000001) == std::ldexp(1.0, -256 - 24));
  BOOST_TEST(exact_ibm_float(-118.625).value() == 0xC276A000u);
  BOOST_TEST(exact_ibm_float(1.0).value() == 0x41100000u);
  BOOST_TEST(exact_ibm_float(0.0).value() == 0u);
  BOOST_TEST(!exact_ibm_float(0.1).has_value());
}

BOOST_AUTO_TEST_CASE(every_normalized_float_comes_back) {
  std::mt19937 next(1);
  for (unsigned i = 0; i < 20000; ++i) {
    const std::uint32_t bits = (next() & 0xFF0FFFFF) | (1 + next() % 15) << 20;
    BOOST_TEST(exact_ibm_float(from_ibm_float(bits)).value() == bits);
  }
}

BOOST_AUTO_TEST_CASE(rounds_down_to_the_nearest_float) {
  std::mt19937_64 next(2);
  for (unsigned i = 0; i < 20000; ++i) {
    const double value =
        std::ldexp(std::generate_canonical<double, 53>(next) - 0.5, static_cast<int>(next() % 400) - 200);
    const auto bits = ibm_float_below(value);
    BOOST_TEST_REQUIRE(bits.has_value());
    BOOST_TEST(from_ibm_float(*bits) <= value);
    // The next float above: the next number of the magnitude, or the one before for negative numbers.
    const bool negative = (*bits >> 31) != 0;
    if ((*bits & 0x7FFFFFFF) == 0) continue;
    const double step = std::fabs(from_ibm_float((*bits & 0x7F000000) | 1));
    BOOST_TEST(from_ibm_float(*bits) + step > value, value << (negative ? " negative" : ""));
  }
}

BOOST_AUTO_TEST_CASE(numbers_out_of_range) {
  for (const double value : {std::numeric_limits<double>::infinity(), std::nan(""), 1e80, -1e80})
    BOOST_TEST(!ibm_float_below(value).has_value());
  BOOST_TEST(ibm_float_below(1e-200).value() == 0u);
  BOOST_TEST(ibm_float_below(-1e-200).value() == 0x80000001u);
  BOOST_TEST(!ibm_float_below(-std::ldexp(16777215.5, 252 - 24)).has_value());
}

BOOST_AUTO_TEST_SUITE_END()
