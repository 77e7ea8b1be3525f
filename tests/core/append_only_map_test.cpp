// SPDX-License-Identifier: Apache-2.0
// The lock-free map: every added value is found, in all threads, for ever.
#include "core/append_only_map.hpp"

#include <algorithm>
#include <atomic>
#include <boost/test/unit_test.hpp>
#include <random>
#include <thread>
#include <vector>

BOOST_AUTO_TEST_SUITE(append_only_map_test)

namespace {

std::atomic<long> alive{0};

/// Counts its instances, so that a leak or a double deletion shows.
struct counted {
  explicit counted(std::uint64_t k, unsigned t = 0) : key(k), thread(t) { ++alive; }
  ~counted() { --alive; }
  counted(const counted&) = delete;
  counted& operator=(const counted&) = delete;
  std::uint64_t key;
  unsigned thread;
};

using map = tgmap::core::append_only_map<counted>;

const counted* add(map& to, std::uint64_t key, unsigned thread = 0) {
  return to.add(key, std::make_unique<counted>(key, thread));
}

/// The inverse of the map's mixing, to choose the places of keys in its trie.
std::uint64_t unmixed(std::uint64_t x) {
  x ^= x >> 33;
  x *= 0x9cb4b2f8129337dbULL;
  x ^= x >> 33;
  x *= 0x4f74430c22a54005ULL;
  x ^= x >> 33;
  return x;
}

void in_threads(unsigned count, const auto& body) {
  std::atomic<unsigned> ready{0};
  std::vector<std::thread> all;
  for (unsigned t = 0; t < count; ++t)
    all.emplace_back([&, t] {
      ++ready;
      while (ready < count) std::this_thread::yield();
      body(t);
    });
  for (auto& thread : all) thread.join();
}

}  // namespace

static_assert(0x9cb4b2f8129337dbULL * 0xc4ceb9fe1a85ec53ULL == 1, "inverse of the second factor");
static_assert(0x4f74430c22a54005ULL * 0xff51afd7ed558ccdULL == 1, "inverse of the first factor");

BOOST_AUTO_TEST_CASE(an_empty_map_finds_nothing) {
  const map none;
  for (const std::uint64_t key : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{UINT64_MAX}})
    BOOST_TEST((none.find(key) == nullptr));
}

BOOST_AUTO_TEST_CASE(only_added_keys_are_found) {
  {
    map all;
    for (std::uint64_t key = 0; key < 10000; key += 8) BOOST_REQUIRE(add(all, key) != nullptr);
    for (std::uint64_t key = 0; key < 10000; ++key) {
      const auto* found = all.find(key);
      BOOST_REQUIRE((found != nullptr) == (key % 8 == 0));
      if (found != nullptr) BOOST_REQUIRE(found->value->key == key);
      if (found != nullptr) BOOST_REQUIRE((found->older == nullptr));
    }
    BOOST_TEST(alive == 1250);
  }
  BOOST_TEST(alive == 0);
}

BOOST_AUTO_TEST_CASE(values_keep_their_addresses) {
  map all;
  std::vector<const counted*> places;
  for (std::uint64_t key = 0; key < 3000; ++key) places.push_back(add(all, key * key));
  for (std::uint64_t key = 0; key < 3000; ++key) BOOST_REQUIRE(all.find(key * key)->value.get() == places[key]);
}

BOOST_AUTO_TEST_CASE(several_values_under_one_key_newest_first) {
  {
    map all;
    for (unsigned n = 0; n < 5; ++n) add(all, 42, n);
    add(all, 43, 99);
    unsigned expected = 5;
    for (const auto* e = all.find(42); e != nullptr; e = e->older) BOOST_TEST(e->value->thread == --expected);
    BOOST_TEST(expected == 0u);
    BOOST_TEST(all.find(43)->value->thread == 99u);
  }
  BOOST_TEST(alive == 0);
}

BOOST_AUTO_TEST_CASE(keys_that_differ_at_the_last_level_only) {
  {
    map all;
    // The mixed keys agree in their lowest 60 bits, and then in fewer and fewer.
    std::vector<std::uint64_t> keys;
    for (std::uint64_t last = 0; last < 16; ++last) keys.push_back(unmixed(last << 60 | 0x123456789abcdefULL));
    for (unsigned level = 0; level < 15; ++level)
      keys.push_back(unmixed(0x123456789abcdefULL ^ std::uint64_t{1} << (4 * level)));
    for (std::size_t i = 0; i < keys.size(); ++i) {
      for (std::size_t j = i; j < keys.size(); ++j) BOOST_REQUIRE((all.find(keys[j]) == nullptr));
      BOOST_REQUIRE(add(all, keys[i]) != nullptr);
      for (std::size_t j = 0; j <= i; ++j) BOOST_REQUIRE(all.find(keys[j])->value->key == keys[j]);
    }
    BOOST_TEST(alive == static_cast<long>(keys.size()));
  }
  BOOST_TEST(alive == 0);
}

BOOST_AUTO_TEST_CASE(eight_threads_with_keys_of_their_own) {
  {
    map all;
    std::atomic<unsigned> wrong{0};
    in_threads(8, [&](unsigned t) {
      for (std::uint64_t n = 0; n < 4000; ++n) {
        const std::uint64_t key = n * 8 + t;
        const counted* mine = add(all, key, t);
        const auto* found = all.find(key);
        wrong += found == nullptr || found->value.get() != mine;
      }
    });
    BOOST_TEST(wrong == 0u);
    for (std::uint64_t key = 0; key < 32000; ++key) BOOST_REQUIRE(all.find(key)->value->thread == key % 8);
  }
  BOOST_TEST(alive == 0);
}

BOOST_AUTO_TEST_CASE(eight_threads_insert_the_same_keys) {
  {
    map all;
    // All threads add the same keys, whose mixed bits differ only in the high ones: every insertion splits a contended
    // slot.
    std::vector<std::uint64_t> keys;
    for (std::uint64_t n = 0; n < 256; ++n) keys.push_back(unmixed(n << 56 | 0x00abcdef01234567ULL));
    std::atomic<unsigned> lost{0};
    in_threads(8, [&](unsigned t) {
      auto mine = keys;
      std::mt19937 random(t / 2);  // pairs of threads in the same order
      std::shuffle(mine.begin(), mine.end(), random);
      for (const auto key : mine) {
        const counted* added = add(all, key, t);
        bool seen = false;
        for (const auto* e = all.find(key); e != nullptr; e = e->older) seen |= e->value.get() == added;
        lost += !seen;
      }
    });
    BOOST_TEST(lost == 0u);
    for (const auto key : keys) {
      unsigned threads = 0, values = 0;
      for (const auto* e = all.find(key); e != nullptr; e = e->older) {
        threads |= 1u << e->value->thread;
        ++values;
        BOOST_REQUIRE(e->value->key == key);
      }
      BOOST_REQUIRE(threads == 255u);
      BOOST_REQUIRE(values == 8u);
    }
  }
  BOOST_TEST(alive == 0);
}

BOOST_AUTO_TEST_CASE(concurrent_readers_see_complete_values) {
  {
    map all;
    std::atomic<bool> done{false};
    std::atomic<unsigned> wrong{0};
    constexpr std::uint64_t count = 20000;
    in_threads(4, [&](unsigned t) {
      if (t == 0) {
        for (std::uint64_t n = 0; n < count; ++n) add(all, n * 64);
        done = true;
        return;
      }
      std::uint64_t known = 0;
      while (!done) {
        for (std::uint64_t n = 0; n < known; n += 97) wrong += all.find(n * 64) == nullptr;  // never disappears
        while (known < count && all.find(known * 64) != nullptr) ++known;
        for (const auto* e = all.find(known * 64); e != nullptr; e = e->older) wrong += e->value->key != known * 64;
      }
    });
    BOOST_TEST(wrong == 0u);
  }
  BOOST_TEST(alive == 0);
}

BOOST_AUTO_TEST_SUITE_END()
