// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>

#include "picture/stretch.hpp"

using namespace tgmap::picture;

BOOST_AUTO_TEST_SUITE(stretching)

namespace {

pixel gray(int light) {
  const auto l = static_cast<std::uint8_t>(light);
  return {{l, l, l}, 255};
}

std::vector<int> lights(const std::vector<pixel>& of) {
  std::vector<int> out;
  for (const pixel& p : of) out.push_back(p.opacity == 0 ? -1 : p.ink.red);
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(whole_multiples_repeat) {
  BOOST_TEST(lights(stretched({gray(0), gray(100), gray(200), {}}, 2, 4, 4)) ==
                 (std::vector<int>{0, 0, 100, 100, 0, 0, 100, 100, 200, 200, -1, -1, 200, 200, -1, -1}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(pixels_between_two_are_mixed_by_their_shares) {
  BOOST_TEST(lights(stretched({gray(0), gray(120)}, 2, 1, 3)) == (std::vector<int>{0, 60, 120}),
             boost::test_tools::per_element());
  BOOST_TEST(lights(stretched({gray(0), gray(120), gray(0)}, 3, 1, 4)) == (std::vector<int>{0, 80, 80, 0}),
             boost::test_tools::per_element());
  const auto beside_nothing = stretched({gray(50), {}}, 2, 1, 3);
  BOOST_TEST(static_cast<int>(beside_nothing[1].ink.red) == 50);
  BOOST_TEST(static_cast<int>(beside_nothing[1].opacity) == 128);
}

BOOST_AUTO_TEST_CASE(the_same_size_is_the_same) {
  std::vector<pixel> all;
  for (int i = 0; i < 35; ++i) all.push_back(gray(i));
  BOOST_TEST(lights(stretched(all, 7, 5, 7)) == lights(all), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
