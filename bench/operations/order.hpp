// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

namespace tgmap_bench {

/// `count` different numbers below `below`, in an order that no prefetcher knows, the same in every run.
inline std::vector<std::uint32_t> shuffled(std::size_t below, std::size_t count) {
  std::vector<std::uint32_t> out(below);
  std::iota(out.begin(), out.end(), 0U);
  std::shuffle(out.begin(), out.end(), std::mt19937(42));
  out.resize(std::min(below, count));
  return out;
}

}  // namespace tgmap_bench
