// SPDX-License-Identifier: Apache-2.0
// What is remembered of objects is what was found, from any number of threads, in memory of fixed size.
#include "archive/object_cache.hpp"

#include <boost/test/unit_test.hpp>
#include <thread>
#include <vector>

using tgmap::detail::object_cache;
using tgmap::detail::object_facts;

BOOST_AUTO_TEST_SUITE(internal_object_cache_test)

namespace {

constexpr std::uint64_t large = 1 << 20;  ///< an archive that gets all there is

/// Facts that tell which object they are of, in every field.
object_facts facts_of(std::uint64_t message, std::uint64_t index) {
  const std::uint64_t n = message * 31 + index;
  return {.at = n,
          .length = n % 1000 + 7,
          .descriptor_at = n % 999 + 1,
          .descriptor_length = n % 998 + 2,
          .region_at = n % 997 + 3,
          .region_length = n % 996 + 4,
          .payload_length = n % 995 + 5,
          .type = static_cast<std::uint16_t>(n % 65521),
          .version = static_cast<std::uint16_t>(n % 65519),
          .flags = static_cast<std::uint16_t>(n % 65497)};
}

}  // namespace

BOOST_AUTO_TEST_CASE(an_empty_one_knows_nothing) {
  const object_cache cache(large);
  object_facts out;
  for (std::uint64_t n = 0; n < 100; ++n) BOOST_TEST(!cache.find(n, n, out));
}

BOOST_AUTO_TEST_CASE(what_was_added_is_found_and_nothing_else) {
  object_cache cache(large);
  object_facts out;
  for (std::uint64_t message = 0; message < 1000 * 592; message += 592)
    for (std::uint64_t index = 0; index < 2; ++index) cache.add(message, index, facts_of(message, index));
  unsigned found = 0;
  for (std::uint64_t message = 0; message < 1000 * 592; message += 592) {
    for (std::uint64_t index = 0; index < 2; ++index)
      if (cache.find(message, index, out)) {
        ++found;
        BOOST_REQUIRE((out == facts_of(message, index)));
      }
    BOOST_TEST(!cache.find(message, 2, out));
    BOOST_TEST(!cache.find(message + 1, 0, out));
  }
  BOOST_TEST(found >= 1900u, "a few may share a pair of slots with two others; found " << found);
}

BOOST_AUTO_TEST_CASE(the_one_touched_last_is_there) {
  object_cache cache(large);
  object_facts out;
  for (std::uint64_t n = 0; n < 100000; ++n) {
    cache.add(n * 1000, n % 7, facts_of(n, 0));
    BOOST_REQUIRE(cache.find(n * 1000, n % 7, out));
    BOOST_REQUIRE((out == facts_of(n, 0)));
  }
}

BOOST_AUTO_TEST_CASE(what_does_not_fit_a_slot_is_not_remembered) {
  object_cache cache(large);
  object_facts out, long_one = facts_of(1, 1);
  long_one.length = std::uint64_t{1} << 32;
  cache.add(1, 1, long_one);
  BOOST_TEST(!cache.find(1, 1, out));
  cache.add(1, std::uint64_t{1} << 32, facts_of(1, 1));
  BOOST_TEST(!cache.find(1, std::uint64_t{1} << 32, out));
  BOOST_TEST(!cache.find(1, 0, out));
  long_one.length = 0xffffffff;
  cache.add(1, 0xffffffff, long_one);
  BOOST_TEST(cache.find(1, 0xffffffff, out));
  BOOST_TEST((out == long_one));
}

BOOST_AUTO_TEST_CASE(archives_of_every_size_remember_what_they_can) {
  for (std::uint64_t size = 0; size < 64; ++size)
    for (const std::uint64_t archive : {std::uint64_t{1} << size, (std::uint64_t{1} << size) - 1}) {
      object_cache cache(archive);
      object_facts out;
      // As many objects as such an archive may have, spread as they are there: most are still known in the end.
      const std::uint64_t count = std::clamp<std::uint64_t>(archive / 256, 16, 2048);
      for (std::uint64_t n = 0; n < count; ++n) {
        cache.add(n * 256, 1, facts_of(n, 1));
        BOOST_REQUIRE(cache.find(n * 256, 1, out));
        BOOST_REQUIRE((out == facts_of(n, 1)));
      }
      std::uint64_t found = 0;
      for (std::uint64_t n = 0; n < count; ++n) found += cache.find(n * 256, 1, out);
      BOOST_TEST(found >= count * 3 / 4);
    }
}

BOOST_AUTO_TEST_CASE(threads_see_whole_facts_or_none) {
  object_cache cache(large);
  std::atomic<unsigned> wrong{0}, found{0};
  {
    std::vector<std::jthread> threads;
    for (unsigned t = 0; t < 4; ++t)
      threads.emplace_back([&, t] {
        object_facts out;
        for (std::uint64_t n = 0; n < 50000; ++n) {
          const std::uint64_t message = (n * 7919 + t) % 64;  // few, so that all meet
          if (cache.find(message, 0, out)) {
            ++found;
            if (!(out == facts_of(message, 0))) ++wrong;
          }
          cache.add(message, 0, facts_of(message, 0));
        }
      });
  }
  BOOST_TEST(wrong == 0u);
  BOOST_TEST(found > 1000u);
}

BOOST_AUTO_TEST_SUITE_END()
