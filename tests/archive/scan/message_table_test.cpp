// SPDX-License-Identifier: Apache-2.0
// The message table: segments, flags, lookup by offset, readers concurrent with the writer.
#include "archive/scan/message_table.hpp"

#include <atomic>
#include <boost/test/unit_test.hpp>
#include <random>
#include <span>
#include <thread>
#include <utility>
#include <vector>

using tgmap::message_position;
using tgmap::detail::message_table;

BOOST_AUTO_TEST_SUITE(message_table_test)

namespace {

/// Makes a message from its number, which sets every field.
message_position numbered(std::uint64_t n, tgmap::optional_index index = {}) {
  return message_position({.offset = n * 48 + n % 3,
                           .length = (n * 0x9e3779b97f4a7c15u) >> 4,
                           .version = static_cast<std::uint8_t>(1 + n % 3),
                           .streamed = n % 2 == 1,
                           .incomplete = n % 5 == 1,
                           .index = index});
}

bool same(const message_position& found, std::uint64_t n) {
  const auto expected = numbered(n);
  return found.offset() == expected.offset() && found.length() == expected.length() &&
         found.version() == expected.version() && found.is_streamed() == expected.is_streamed() &&
         found.is_incomplete() == expected.is_incomplete() && found.index() == n;
}

// Segments hold 256, 512, 1024, …: they end at 256, 768, 1792, 3840, 7936.
constexpr std::size_t borders[] = {0, 1, 255, 256, 257, 767, 768, 769, 1791, 1792, 3839, 3840, 7935, 7936, 7937};

}  // namespace

BOOST_AUTO_TEST_CASE(entries_are_unchanged_across_segment_borders) {
  message_table table;
  for (std::size_t n = 0; n < 8000; ++n) {
    BOOST_REQUIRE(table.size() == n);
    BOOST_REQUIRE(table.append(numbered(n)));
    BOOST_REQUIRE(same(table[n], n));
  }
  for (std::size_t n = 0; n < 8000; ++n) BOOST_REQUIRE(same(table[n], n));
}

BOOST_AUTO_TEST_CASE(a_batch_may_cross_segment_borders) {
  for (const std::size_t first : borders) {
    message_table table;
    for (std::size_t n = 0; n < first; ++n) BOOST_REQUIRE(table.append(numbered(n)));
    std::vector<message_table::entry> batch;
    for (std::size_t n = 0; n < 5000; ++n)
      batch.push_back(message_table::entry::of(n * 48, 48 + n, 2 + n % 2, n % 5 == 0));
    BOOST_REQUIRE(table.append(std::span(std::as_const(batch))));
    BOOST_REQUIRE(table.size() == first + 5000);
    for (std::size_t n = 0; n < first; ++n) BOOST_REQUIRE(same(table[n], n));
    for (std::size_t n = 0; n < 5000; ++n) {
      const auto found = table[first + n];
      BOOST_REQUIRE(found.offset() == n * 48);
      BOOST_REQUIRE(found.length() == 48 + n);
      BOOST_REQUIRE(found.version() == 2 + n % 2);
      BOOST_REQUIRE(found.is_streamed() == (n % 5 == 0));
      BOOST_REQUIRE(!found.is_incomplete());
      BOOST_REQUIRE(batch[n].end() == n * 48 + 48 + n);
    }
  }
}

BOOST_AUTO_TEST_CASE(listed_messages_are_found_once_they_are_stored) {
  for (const std::size_t listed : borders) {
    message_table table;
    table.begin_with_listed(listed);
    BOOST_TEST(table.size() == listed);
    BOOST_TEST(table.listed() == listed);
    for (std::size_t n = listed; n < listed + 300; ++n) BOOST_REQUIRE(table.append(numbered(n)));
    message_position found;
    for (const std::size_t n : borders) {
      if (n >= listed) continue;
      BOOST_REQUIRE(!table.find(n, found));
      table.store_listed(n, numbered(n + 1));  // a length of 0 is never stored
      table.store_listed(n, numbered(n + 2));  // the first one stays
      BOOST_REQUIRE(table.find(n, found));
      BOOST_REQUIRE(found.offset() == numbered(n + 1).offset());
      BOOST_REQUIRE(found.index() == n);
    }
    for (std::size_t n = listed; n < listed + 300; ++n) {
      BOOST_REQUIRE(table.find(n, found));
      BOOST_REQUIRE(same(found, n));
    }
  }
}

BOOST_AUTO_TEST_CASE(threads_that_store_the_same_messages_agree) {
  constexpr std::size_t count = 4000;
  message_table table;
  table.begin_with_listed(count);
  std::vector<int> wrong(4, 0);
  {
    std::vector<std::jthread> threads;
    for (std::size_t t = 0; t < wrong.size(); ++t)
      threads.emplace_back([&, t] {
        for (std::size_t k = 0; k < count; ++k) {
          const std::size_t n = t % 2 == 0 ? k : count - 1 - k;
          message_position found;
          if (table.find(n, found)) wrong[t] += found.offset() != numbered(n + 1).offset();
          table.store_listed(n, numbered(n + 1));
        }
      });
  }
  for (std::size_t t = 0; t < wrong.size(); ++t) BOOST_TEST(wrong[t] == 0);
  message_position found;
  for (std::size_t n = 0; n < count; ++n) BOOST_REQUIRE(table.find(n, found));
}

BOOST_AUTO_TEST_CASE(lengths_have_sixty_bits_besides_the_flags) {
  constexpr std::uint64_t longest = (std::uint64_t{1} << 60) - 1;
  for (const std::uint64_t length : {std::uint64_t{0}, std::uint64_t{48}, longest})
    for (unsigned flags = 0; flags < 4; ++flags)
      for (unsigned version = 1; version <= 3; ++version) {
        message_table table;
        BOOST_REQUIRE(table.append(message_position({.offset = UINT64_MAX - 1,
                                                     .length = length,
                                                     .version = static_cast<std::uint8_t>(version),
                                                     .streamed = (flags & 1) != 0,
                                                     .incomplete = (flags & 2) != 0})));
        const auto found = table[0];
        BOOST_TEST(found.offset() == UINT64_MAX - 1);
        BOOST_TEST(found.length() == length);
        BOOST_TEST(found.version() == version);
        BOOST_TEST(found.is_streamed() == ((flags & 1) != 0));
        BOOST_TEST(found.is_incomplete() == ((flags & 2) != 0));
      }
}

BOOST_AUTO_TEST_CASE(the_number_is_the_position_in_the_table) {
  message_table table;
  BOOST_REQUIRE(table.append(numbered(0, 77)));
  BOOST_TEST((table[0].index() == 0));
}

BOOST_AUTO_TEST_CASE(concurrent_readers_see_complete_entries) {
  constexpr std::size_t count = 40000;
  message_table table;
  std::atomic<unsigned> wrong{0};
  std::vector<std::thread> readers;
  for (unsigned t = 0; t < 3; ++t)
    readers.emplace_back([&, t] {
      std::mt19937 random(t);
      for (std::size_t known = 0, before = 0; known < count; before = known) {
        known = table.size();
        wrong += known < before;
        for (unsigned i = 0; i < 20 && known > 0; ++i) {
          const std::size_t n = i == 0 ? known - 1 : random() % known;
          wrong += !same(table[n], n);
          message_position found;
          wrong += !table.find(n, found) || !same(found, n);
        }
      }
    });
  for (std::size_t n = 0; n < count; ++n) wrong += !table.append(numbered(n));
  for (auto& reader : readers) reader.join();
  BOOST_TEST(wrong == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
