// SPDX-License-Identifier: Apache-2.0
// Freed blocks are used again, and no more of them are kept than the limit.
#include "core/block_cache.hpp"

#include <sys/mman.h>

#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <set>
#include <thread>
#include <vector>

using tgmap::core::block_cache;

namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;

std::span<std::byte> map(std::size_t size) {
  void* const at = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  BOOST_REQUIRE(at != MAP_FAILED);
  return {static_cast<std::byte*>(at), size};
}

bool is_mapped(std::span<const std::byte> block) {
  unsigned char resident = 0;
  return ::mincore(const_cast<std::byte*>(block.data()), 4096, &resident) == 0;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(block_cache_test)

BOOST_AUTO_TEST_CASE(a_freed_block_is_used_for_the_next_request_of_its_size) {
  block_cache kept;
  const auto four = map(4 * mebibyte), six = map(6 * mebibyte);
  BOOST_TEST(kept.take(4 * mebibyte) == nullptr);
  kept.give(four);
  kept.give(six);
  BOOST_TEST(kept.take(5 * mebibyte) == nullptr);
  BOOST_TEST(kept.take(4 * mebibyte) == four.data());
  BOOST_TEST(kept.take(4 * mebibyte) == nullptr);
  BOOST_TEST(kept.take(6 * mebibyte) == six.data());
  ::munmap(four.data(), four.size());
  ::munmap(six.data(), six.size());
}

BOOST_AUTO_TEST_CASE(the_oldest_is_unmapped_above_the_limit) {
  block_cache kept;
  const auto first = map(block_cache::most / 2), second = map(block_cache::most / 4),
             third = map(block_cache::most / 2);
  kept.give(first);
  kept.give(second);
  BOOST_TEST(is_mapped(first));
  kept.give(third);
  BOOST_TEST(!is_mapped(first));
  BOOST_TEST(kept.take(third.size()) == third.data());
  BOOST_TEST(kept.take(third.size()) == nullptr);
  BOOST_TEST(kept.take(second.size()) == second.data());
  ::munmap(second.data(), second.size());
  ::munmap(third.data(), third.size());
}

BOOST_AUTO_TEST_CASE(blocks_above_the_limit_are_unmapped_at_once) {
  block_cache kept;
  const auto large = map(block_cache::most + 4096);
  kept.give(large);
  BOOST_TEST(!is_mapped(large));
}

BOOST_AUTO_TEST_CASE(the_number_of_blocks_is_limited) {
  block_cache kept;
  std::set<std::byte*> given;
  for (int i = 0; i < 100; ++i) {
    const auto block = map(4096);
    kept.give(block);
    given.insert(block.data());
  }
  std::size_t lent = 0;
  for (std::byte* at = kept.take(4096); at != nullptr; at = kept.take(4096), ++lent) {
    BOOST_TEST(given.erase(at) == 1u);  // none twice
    ::munmap(at, 4096);
  }
  BOOST_TEST(lent > 0u);
  BOOST_TEST(lent < 100u);
}

/// No block belongs to two threads at once: each thread writes its number into it and finds it there.
BOOST_AUTO_TEST_CASE(threads_never_share_a_block) {
  static block_cache kept;
  std::vector<int> wrong(4);
  {
    std::vector<std::jthread> threads;
    for (int number = 0; number < 4; ++number)
      threads.emplace_back([&, number] {
        for (int i = 0; i < 5000; ++i) {
          std::byte* at = kept.take(8192);
          std::span<std::byte> mine{at, 8192};
          if (at == nullptr) mine = map(8192);
          mine.front() = mine.back() = static_cast<std::byte>(number);
          std::this_thread::yield();
          if (mine.front() != static_cast<std::byte>(number) || mine.back() != static_cast<std::byte>(number))
            ++wrong[static_cast<std::size_t>(number)];
          kept.give(mine);
        }
      });
  }
  for (const int each : wrong) BOOST_TEST(each == 0);
  for (std::byte* at = kept.take(8192); at != nullptr; at = kept.take(8192)) ::munmap(at, 8192);
}

BOOST_AUTO_TEST_SUITE_END()
