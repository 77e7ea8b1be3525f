// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <xxhash.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <thread>
#include <vector>

namespace tgmap_bench {

/// Calls `each(i)` for every i < count on as many threads, each taking the next that no one has.
template <class F>
void on_threads(unsigned threads, std::size_t count, F&& each) {
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < count;) each(i);
  };
  std::vector<std::jthread> others;
  for (unsigned t = 1; t < threads; ++t) others.emplace_back(work);
  work();
}

/// XXH3 over each of the blocks; returns the sum of the digests.
inline std::uint64_t hash_all(const std::vector<std::span<const std::byte>>& blocks, unsigned threads) {
  std::atomic<std::uint64_t> sum{0};
  on_threads(threads, blocks.size(), [&](std::size_t i) {
    sum.fetch_add(XXH3_64bits(blocks[i].data(), blocks[i].size()), std::memory_order_relaxed);
  });
  return sum;
}

}  // namespace tgmap_bench
