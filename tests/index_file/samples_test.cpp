// SPDX-License-Identifier: Apache-2.0
#include "index_file/samples.hpp"

#include <boost/test/unit_test.hpp>
#include <set>

using namespace tgmap::index_file;

BOOST_AUTO_TEST_SUITE(samples_test)

BOOST_AUTO_TEST_CASE(samples_are_within_the_covered_bytes) {
  for (const std::uint64_t covered : {0ul, 1ul, 4095ul, 4096ul, 4097ul, 8192ul, 12345ul, 1ul << 20, ~0ul})
    for (std::uint64_t i = 0; i < sample_count(covered); ++i) {
      const auto range = sample_at(42, i, covered);
      BOOST_TEST(range.offset <= covered);
      BOOST_TEST(range.size <= covered - range.offset);
      BOOST_TEST(range.size > 0u);
    }
  BOOST_TEST(sample_count(0) == 0u);
  BOOST_TEST(sample_count(1) == 1u);
  BOOST_TEST(sample_count(4097) == 2u);
  BOOST_TEST(sample_count(std::uint64_t{1} << 40) == 64u);
}

BOOST_AUTO_TEST_CASE(the_first_two_samples_are_both_ends) {
  BOOST_TEST(sample_at(7, 0, 100'000).offset == 0u);
  BOOST_TEST(sample_at(7, 1, 100'000).offset == 100'000u - sample_size);
  BOOST_TEST(sample_at(7, 1, 4097).offset == 1u);
}

BOOST_AUTO_TEST_CASE(another_seed_chooses_other_pages) {
  std::set<std::uint64_t> pages;
  for (std::uint64_t seed = 0; seed < 4; ++seed)
    for (std::uint64_t i = 2; i < 64; ++i) {
      const auto range = sample_at(seed * 1000, i, std::uint64_t{1} << 40);
      BOOST_TEST(range.offset % sample_size == 0u);
      pages.insert(range.offset);
    }
  BOOST_TEST(pages.size() > 240u);
}

BOOST_AUTO_TEST_SUITE_END()
