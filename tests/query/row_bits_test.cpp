// SPDX-License-Identifier: Apache-2.0
#include "query/row_bits.hpp"

#include <boost/test/unit_test.hpp>
#include <random>
#include <set>

using tgmap::detail::row_bits;

BOOST_AUTO_TEST_SUITE(row_bits_test)

BOOST_AUTO_TEST_CASE(rows_behind_the_end_are_never_in_the_set) {
  for (const std::uint64_t size : {0, 1, 63, 64, 65, 200}) {
    row_bits all(size, true), none(size);
    BOOST_TEST(all.count() == size);
    BOOST_TEST(none.count() == 0u);
    none.invert();
    BOOST_TEST(none.count() == size);
    none.set({0, 1000}, true);
    BOOST_TEST(none.count() == size);
    BOOST_TEST(!all.contains(size));
    BOOST_TEST(all.next(size) == size);
    BOOST_TEST(all.next(size + 1000) == size);
    BOOST_TEST(all.end_of_run(0) == size);
  }
}

BOOST_AUTO_TEST_CASE(it_agrees_with_a_set) {
  std::mt19937 random(3);
  for (int round = 0; round < 300; ++round) {
    const std::uint64_t size = 1 + random() % 300;
    row_bits bits(size), others(size);
    std::set<std::uint64_t> set, other_set;
    for (int k = 0; k < 12; ++k) {
      const std::uint64_t begin = random() % size, end = begin + random() % 100;
      const bool value = random() % 3 != 0;
      bits.set({begin, end}, value);
      for (std::uint64_t i = begin; i < std::min(end, size); ++i) value ? void(set.insert(i)) : void(set.erase(i));
      others.set({end / 2, end / 2 + 1}, true);
      if (end / 2 < size) other_set.insert(end / 2);
    }
    const auto check = [&] {
      BOOST_TEST(bits.count() == set.size());
      for (std::uint64_t i = 0; i < size; ++i) {
        BOOST_TEST(bits.contains(i) == set.contains(i));
        const auto next = set.lower_bound(i);
        BOOST_TEST(bits.next(i) == (next == set.end() ? size : *next));
        const std::uint64_t limit = std::min(size, i + 70);
        BOOST_TEST(bits.next(i, i + 70) == (next == set.end() || *next > limit ? limit : *next));
        std::uint64_t end = i;
        while (end < size && set.contains(end)) ++end;
        BOOST_TEST(bits.end_of_run(i) == end);
      }
    };
    check();
    row_bits united = bits;
    united.unite(others);
    bits.intersect(others);
    std::set<std::uint64_t> both;
    for (const std::uint64_t each : set)
      if (other_set.contains(each)) both.insert(each);
    const std::size_t sum = set.size() + other_set.size() - both.size();
    set = both;
    check();
    BOOST_TEST(united.count() == sum);
  }
}

BOOST_AUTO_TEST_SUITE_END()
