// SPDX-License-Identifier: Apache-2.0
// The bound check of the library, compared with arithmetic that cannot overflow.
#include "wire/bytes.hpp"

#include <array>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <random>

using tgmap::wire::align8;
using tgmap::wire::fits;

BOOST_AUTO_TEST_SUITE(fits_test)

namespace {

__extension__ using wide = unsigned __int128;

bool fits_by_adding(std::uint64_t at, std::uint64_t n, std::uint64_t size) { return wide{at} + n <= size; }

wide align8_by_dividing(std::uint64_t at) { return (wide{at} + 7) / 8 * 8; }

/// Numbers where carries and signs change.
constexpr std::array<std::uint64_t, 17> edges{0,
                                              1,
                                              7,
                                              8,
                                              9,
                                              INT32_MAX,
                                              std::uint64_t{INT32_MAX} + 1,
                                              UINT32_MAX,
                                              std::uint64_t{UINT32_MAX} + 1,
                                              INT64_MAX - 1,
                                              INT64_MAX,
                                              std::uint64_t{INT64_MAX} + 1,
                                              std::uint64_t{INT64_MAX} + 2,
                                              UINT64_MAX - 8,
                                              UINT64_MAX - 7,
                                              UINT64_MAX - 1,
                                              UINT64_MAX};

}  // namespace

static_assert(fits(0, 0, 0));
static_assert(!fits(1, 0, 0));
static_assert(!fits(0, 1, 0));
static_assert(fits(UINT64_MAX, 0, UINT64_MAX));
static_assert(fits(0, UINT64_MAX, UINT64_MAX));
static_assert(!fits(1, UINT64_MAX, UINT64_MAX));
static_assert(!fits(UINT64_MAX, UINT64_MAX, UINT64_MAX), "the sum wraps to a number that would fit");
static_assert(!fits(UINT64_MAX, 2, 5), "the sum wraps to 1");
static_assert(align8(0) == 0 && align8(1) == 8 && align8(8) == 8 && align8(9) == 16);

BOOST_AUTO_TEST_CASE(fits_agrees_with_wide_addition_on_small_numbers) {
  unsigned wrong = 0, yes = 0;
  for (std::uint64_t at = 0; at < 40; ++at)
    for (std::uint64_t n = 0; n < 40; ++n)
      for (std::uint64_t size = 0; size < 40; ++size) {
        wrong += fits(at, n, size) != fits_by_adding(at, n, size);
        yes += fits(at, n, size);
      }
  BOOST_TEST(wrong == 0u);
  BOOST_TEST(yes == 40u * 41u * 42u / 6u);  // pairs with at + n <= size, over all sizes
}

BOOST_AUTO_TEST_CASE(fits_agrees_with_wide_addition_at_every_edge) {
  for (const auto at : edges)
    for (const auto n : edges)
      for (const auto size : edges)
        BOOST_TEST(fits(at, n, size) == fits_by_adding(at, n, size), at << " + " << n << " <= " << size);
}

BOOST_AUTO_TEST_CASE(fits_agrees_with_wide_addition_just_below_two_to_the_64) {
  unsigned wrong = 0;
  for (std::uint64_t a = 0; a < 20; ++a)
    for (std::uint64_t b = 0; b < 20; ++b)
      for (std::uint64_t c = 0; c < 20; ++c)
        wrong += fits(UINT64_MAX - a, b, UINT64_MAX - c) != fits_by_adding(UINT64_MAX - a, b, UINT64_MAX - c);
  BOOST_TEST(wrong == 0u);
}

BOOST_AUTO_TEST_CASE(fits_agrees_with_wide_addition_on_random_numbers) {
  std::mt19937_64 random(1);
  unsigned wrong = 0, yes = 0;
  for (unsigned round = 0; round < 200000; ++round) {
    const auto some = [&] { return random() >> (random() % 64); };
    const std::uint64_t at = some(), n = some(), size = some();
    wrong += fits(at, n, size) != fits_by_adding(at, n, size);
    yes += fits(at, n, size);
  }
  BOOST_TEST(wrong == 0u);
  BOOST_TEST(yes > 10000u);
}

BOOST_AUTO_TEST_CASE(align8_rounds_up_to_multiples_of_eight) {
  for (const auto at : edges) {
    const wide up = align8_by_dividing(at);
    const std::uint64_t expected = up > UINT64_MAX ? at : static_cast<std::uint64_t>(up);
    BOOST_TEST(align8(at) == expected);
  }
  for (std::uint64_t at = 0; at < 1000; ++at) {
    BOOST_TEST(align8(at) % 8 == 0u);
    BOOST_TEST(align8(at) >= at);
    BOOST_TEST(align8(at) - at < 8u);
  }
}

BOOST_AUTO_TEST_CASE(align8_keeps_numbers_that_would_overflow) {
  for (std::uint64_t below = 0; below < 7; ++below) BOOST_TEST(align8(UINT64_MAX - below) == UINT64_MAX - below);
  BOOST_TEST(align8(UINT64_MAX - 7) == UINT64_MAX - 7);
  BOOST_TEST(align8(UINT64_MAX - 8) == UINT64_MAX - 7);
}

BOOST_AUTO_TEST_SUITE_END()
