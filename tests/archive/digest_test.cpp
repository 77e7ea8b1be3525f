// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <cstring>
#include <tgmap/frame.hpp>
#include <vector>

BOOST_AUTO_TEST_SUITE(digest)

/// What the algorithm's own program, xxhsum -H3, says.
BOOST_AUTO_TEST_CASE(digests_are_those_of_the_algorithm) {
  BOOST_TEST(tgmap::xxh3({}) == 0x2d06800538d394c2u);
  const char text[] = {'a', 'b', 'c', 'd'};
  BOOST_TEST(tgmap::xxh3(std::as_bytes(std::span(text))) == 0x6497a96f53a89890u);
}

BOOST_AUTO_TEST_SUITE_END()
