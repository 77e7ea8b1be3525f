// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <xxhash.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "floors/file.hpp"

namespace tgmap_bench {

/// Calls `each(i)` for every i < count on `threads` threads. Each thread takes the next free number.
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

/// Computes XXH3 of each block and returns the sum of the hashes.
inline std::uint64_t hash_all(const std::vector<std::span<const std::byte>>& blocks, unsigned threads) {
  std::atomic<std::uint64_t> sum{0};
  on_threads(threads, blocks.size(), [&](std::size_t i) {
    sum.fetch_add(XXH3_64bits(blocks[i].data(), blocks[i].size()), std::memory_order_relaxed);
  });
  return sum;
}

/// The same for ranges (offset, size) of a file, read in pieces of 256 KiB.
inline std::uint64_t hash_all(const file& file, const std::vector<std::pair<std::uint64_t, std::uint64_t>>& ranges,
                              unsigned threads) {
  std::atomic<std::uint64_t> sum{0};
  on_threads(threads, ranges.size(), [&](std::size_t i) {
    std::vector<std::byte> piece(std::size_t{256} << 10);
    const std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> state(XXH3_createState(), XXH3_freeState);
    XXH3_64bits_reset(state.get());
    auto [at, left] = ranges[i];
    for (std::size_t got = 1; left > 0 && got > 0; at += got, left -= got) {
      got =
          file.read(at, std::span(piece).first(static_cast<std::size_t>(std::min<std::uint64_t>(left, piece.size()))));
      XXH3_64bits_update(state.get(), piece.data(), got);
    }
    sum.fetch_add(XXH3_64bits_digest(state.get()), std::memory_order_relaxed);
  });
  return sum;
}

}  // namespace tgmap_bench
