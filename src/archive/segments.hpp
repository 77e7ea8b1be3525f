// SPDX-License-Identifier: Apache-2.0
// A sequence that grows without ever moving: segment s holds 2^(8 + s) items.
#pragma once

#include <bit>
#include <cstddef>

namespace tgmap {
inline namespace v0 {
namespace detail {

/// Where item `i` of such a sequence is. What is not used yet of the last segment is address space, not memory.
struct segments {
  static constexpr std::size_t most = 56;
  static constexpr std::size_t of(std::size_t i) noexcept {
    return static_cast<std::size_t>(std::bit_width((i >> first_bits) + 1)) - 1;
  }
  static constexpr std::size_t begin(std::size_t s) noexcept { return ((std::size_t{1} << s) - 1) << first_bits; }
  static constexpr std::size_t size(std::size_t s) noexcept { return std::size_t{1} << (first_bits + s); }

 private:
  static constexpr std::size_t first_bits = 8;
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
