// SPDX-License-Identifier: Apache-2.0
// Takes a map apart in one walk where prescan() and a cursor need two: command/ls_keys/small takes 1.2 times as long
// with those.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "cbor/head.hpp"

namespace tgmap::cbor {

/// A map as nearly all metadata is: keys are text, everything is in one piece, without tags and not nested deep, and
/// there are few keys at top level.
struct flat_map_view {
  struct entry {
    std::string_view key{};
    std::size_t at = 0;      ///< where the value begins, from the start of the map
    std::size_t inside = 0;  ///< behind its head: where its first item begins
    std::size_t end = 0;     ///< behind all of it
    head value{};            ///< the head of it
  };
  static constexpr std::size_t most = 16;

  std::size_t count = 0;
  std::array<entry, most> entries;  // set up to count
};

/// Takes such a map apart at the start of `bytes`, which cannot go away. When it is one, prescan() passes it too; false
/// says nothing. O(bytes of the map), no allocation.
[[nodiscard]] bool read_flat_map(std::span<const std::byte> bytes, std::uint32_t max_depth, flat_map_view&) noexcept;

}  // namespace tgmap::cbor
