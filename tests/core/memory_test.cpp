// SPDX-License-Identifier: Apache-2.0
// Memory of any size: aligned, writable to its last byte, freed, and an error if there is none.
#include "core/memory.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <cstring>
#include <support/failures.hpp>

using namespace tgmap::core;
using tgmap::errc;

BOOST_AUTO_TEST_SUITE(memory_test)

BOOST_AUTO_TEST_CASE(every_size) {
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{4095}, min_huge_size - 1, min_huge_size,
                                 min_huge_size + 1, 3 * min_huge_size + 4097}) {
    tgmap::failure why;
    const auto memory = allocate_memory(size, why);
    BOOST_TEST(!why);
    BOOST_TEST(memory.size() == size);
    BOOST_TEST(memory.data() != nullptr);
    BOOST_TEST(reinterpret_cast<std::uintptr_t>(memory.data()) % memory_alignment == 0u);
    if (size != 0) {
      memory.front() = std::byte{1};
      memory.back() = std::byte{2};
    }
    free_memory(memory);
  }
}

BOOST_AUTO_TEST_CASE(large_blocks_are_used_again) {
  tgmap::failure why;
  const std::size_t size = 3 * min_huge_size + 4097;
  const auto first = allocate_memory(size, why);
  free_memory(first);
  const auto second = allocate_memory(size + 1, why);  // takes as many pages
  BOOST_TEST(second.data() == first.data());
  BOOST_TEST(second.size() == size + 1);
  BOOST_TEST(!why);
  free_memory(second);
}

BOOST_AUTO_TEST_CASE(sizes_beyond_all_memory) {
  for (const std::uint64_t size : {UINT64_MAX, UINT64_MAX - 4096, std::uint64_t{1} << 62}) {
    tgmap::failure why;
    BOOST_TEST(allocate_memory(size, why).data() == nullptr);
    TGMAP_FAILED(why, errc::out_of_memory);
    BOOST_TEST(why.found == size);
  }
}

BOOST_AUTO_TEST_CASE(scratch_grows_only_if_it_is_too_small) {
  scratch one;
  tgmap::failure why;
  const auto first = one.take(100, why);
  BOOST_TEST(one.take(50, why).data() == first.data());
  BOOST_TEST(one.take(50, why).size() == 50u);
  BOOST_TEST(one.take(1000, why).size() == 1000u);
  scratch other(std::move(one));
  BOOST_TEST(other.take(1000, why).size() == 1000u);
  other.release();
  BOOST_TEST(other.take(0, why).empty());
  BOOST_TEST(!why);
  BOOST_TEST(other.take(UINT64_MAX, why).empty());
  TGMAP_FAILED(why, errc::out_of_memory);
}

BOOST_AUTO_TEST_CASE(zeros_of_every_size) {
  for (const std::size_t size :
       {std::size_t{1}, std::size_t{4096}, std::size_t{131071}, std::size_t{131072}, std::size_t{1} << 22})
    for (int time = 0; time < 2; ++time) {  // memory that was used before is zero again
      auto* const bytes = static_cast<unsigned char*>(tgmap::core::allocate_zeros(size));
      BOOST_TEST_REQUIRE(bytes != nullptr);
      BOOST_TEST(std::all_of(bytes, bytes + size, [](unsigned char byte) { return byte == 0; }));
      std::memset(bytes, 255, size);
      tgmap::core::free_zeros(bytes, size);
    }
  BOOST_TEST(tgmap::core::allocate_zeros(SIZE_MAX) == nullptr);
  tgmap::core::free_zeros(nullptr, 1);
  tgmap::core::free_zeros(nullptr, std::size_t{1} << 22);
}

BOOST_AUTO_TEST_SUITE_END()
