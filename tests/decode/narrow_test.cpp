// SPDX-License-Identifier: Apache-2.0
// Floats of 16 bits: every one of them comes back, and what lies between goes to the nearer one.
#include "decode/narrow.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

using namespace tgmap::decode;

BOOST_AUTO_TEST_SUITE(narrow_test)

namespace {

/// `narrow` of every float of that kind, and of what lies halfway to the next one.
template <class Half, class Narrow>
void check_every(Narrow&& narrowed, std::uint16_t infinity) {
  const auto wide = [](unsigned bits) {
    return static_cast<double>(static_cast<float>(Half{static_cast<std::uint16_t>(bits)}));
  };
  std::size_t wrong = 0;
  for (const unsigned sign : {0u, 0x8000u})
    for (unsigned bits = 0; bits < infinity; ++bits) {
      const double here = wide(sign | bits);
      const auto same = narrowed(here);
      wrong += !same || same->bits != (sign | bits);
      if (bits + 1u == infinity) break;
      const double next = wide(sign | (bits + 1)), between = here / 2 + next / 2;
      const unsigned even = bits % 2 == 0 ? bits : bits + 1;
      wrong += narrowed(between)->bits != (sign | even);
      wrong += narrowed(std::nextafter(between, here))->bits != (sign | bits);
      wrong += narrowed(std::nextafter(between, next))->bits != (sign | (bits + 1));
    }
  BOOST_TEST(wrong == 0u);

  const double most = wide(infinity - 1u), step = most - wide(infinity - 2u);
  BOOST_TEST(!narrowed(most + step / 2));
  BOOST_TEST(!narrowed(-most - step));
  BOOST_TEST(!narrowed(1e300));
  BOOST_TEST(narrowed(std::nextafter(most + step / 2, 0))->bits == infinity - 1u);
  BOOST_TEST(narrowed(INFINITY)->bits == infinity);
  BOOST_TEST(narrowed(-INFINITY)->bits == (infinity | 0x8000u));
  BOOST_TEST(std::isnan(wide(narrowed(std::nan(""))->bits)));
  BOOST_TEST(narrowed(5e-324)->bits == 0u);
  BOOST_TEST(narrowed(-5e-324)->bits == 0x8000u);
}

}  // namespace

BOOST_AUTO_TEST_CASE(all_of_float16) { check_every<tgmap::float16>(to_float16, 0x7c00); }

BOOST_AUTO_TEST_CASE(all_of_bfloat16) { check_every<tgmap::bfloat16>(to_bfloat16, 0x7f80); }

BOOST_AUTO_TEST_SUITE_END()
