// SPDX-License-Identifier: Apache-2.0
// Layout of a sequence that grows without moving: segment s holds 2^(8 + s) items.
#pragma once

#include <bit>
#include <cstddef>

namespace tgmap {
inline namespace v0 {
namespace detail {

/// Finds the items of such a sequence. The unused rest of the last segment takes address space, but no memory.
struct segments {
  static constexpr std::size_t max_segments = 56;
  static constexpr std::size_t size(std::size_t segment) noexcept { return first << segment; }

  struct place {
    std::size_t segment;
    std::size_t offset;  ///< in the segment
  };
  /// Returns the position of item `i`, up to SIZE_MAX / 2. Counted from `first`, the highest bit of a number selects
  /// the segment, the other bits the place in it.
  static constexpr place of(std::size_t i) noexcept {
    const std::size_t from = i + first;
    const auto highest = static_cast<unsigned>(std::bit_width(from | 1)) - 1;  // | 1: avoids the branch for zero
    return {highest - first_bit, from ^ std::size_t{1} << highest};
  }

 private:
  static constexpr unsigned first_bit = 8;
  static constexpr std::size_t first = std::size_t{1} << first_bit;
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
