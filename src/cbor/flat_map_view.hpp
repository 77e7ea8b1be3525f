// SPDX-License-Identifier: Apache-2.0
// Fast path: reads a map in one walk, where prescan() and a cursor need two. command/ls_keys/small takes 1.2 times as
// long with those.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "cbor/head.hpp"

namespace tgmap::cbor {

/// A `flat_map_view` is a map in the form of nearly all metadata: few keys, which are text; definite lengths, no tags,
/// and little nesting.
struct flat_map_view {
  struct entry {
    std::string_view key{};
    std::size_t begin = 0;   ///< begin of the value, from the start of the map
    std::size_t inside = 0;  ///< after the head of the value
    std::size_t end = 0;     ///< end of the value
    head value{};            ///< head of the value
  };
  static constexpr std::size_t most = 16;

  std::size_t count = 0;
  std::array<entry, most> entries;  // set up to count
};

/// Reads a map at the start of `bytes`, which must be in memory. Maps that it accepts also pass prescan(). Returns
/// false for any other form. No allocation. Complexity: O(bytes of the map).
[[nodiscard]] bool read_flat_map(std::span<const std::byte> bytes, std::uint32_t max_depth, flat_map_view&) noexcept;

/// Returns the end of the item at `at`, which must be in memory, if it is one that read_flat_map() accepts, and no map
/// and no list; otherwise null.
[[nodiscard]] const std::byte* skip_flat_scalar(const std::byte* at, const std::byte* end) noexcept;

}  // namespace tgmap::cbor
