// SPDX-License-Identifier: Apache-2.0
// Estimates the work of decoding an object from its decoded size. This is enough to decide if threads pay off.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

namespace tgmap::parallel {

/// Objects of less cost together are decoded by the calling thread alone. Waking a thread takes as long as decoding
/// some ten KiB.
inline constexpr std::uint64_t single_thread_cost = std::uint64_t{256} << 10;

/// Threads take objects in batches of about this cost.
inline constexpr std::uint64_t batch_cost = std::uint64_t{64} << 10;

/// A `batch` is the range of objects that one thread takes at once.
struct batch {
  std::size_t begin = 0, end = 0;

  bool empty() const noexcept { return begin == end; }
};

/// Returns the cost of an object: its decoded bytes, and a constant for each object. Saturates, because sizes in files
/// may be forged.
constexpr std::uint64_t decode_cost(std::uint64_t bytes) noexcept {
  constexpr std::uint64_t each = 512, max = std::numeric_limits<std::uint64_t>::max();
  return bytes < max - each ? bytes + each : max;
}

/// Returns the sum of two costs. Saturates.
constexpr std::uint64_t add_costs(std::uint64_t a, std::uint64_t b) noexcept {
  return a + b < a ? std::numeric_limits<std::uint64_t>::max() : a + b;
}

}  // namespace tgmap::parallel
