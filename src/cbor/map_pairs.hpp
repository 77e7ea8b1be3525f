// SPDX-License-Identifier: Apache-2.0
// The pairs of an encoded map, where the map is canonical: one more at its place, without a tree.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "cbor/writer.hpp"

namespace tgmap::cbor {

/// Where a text key is in a map, or would be; offsets from the map's first byte.
struct key_place {
  std::uint64_t pairs = 0;  ///< that the map has
  std::size_t body = 0;     ///< behind its head
  std::size_t at = 0;       ///< of the key; when it is not there, where it would come
  std::size_t value = 0;    ///< of its value; `at` when it is not there
  std::size_t end = 0;      ///< behind its value; `at` when it is not there
  bool there = false;
};

/// Looks as far as the key can be. O(bytes), no allocation. Of what is no canonical map nothing is said but where its
/// bytes end.
[[nodiscard]] key_place place_of(std::span<const std::byte> map, std::string_view key) noexcept;

[[nodiscard]] inline bool has_key(std::span<const std::byte> map, std::string_view key) noexcept {
  return place_of(map, key).there;
}

/// The same in one pass with a check: returns whether all keys of a canonical map are text. O(bytes).
[[nodiscard]] bool find_among_text_keys(std::span<const std::byte> map, std::string_view key, key_place&) noexcept;

/// Writes the map with one more pair, whose key it does not have. `map` may have bytes of something else behind it:
/// they follow, too.
void write_with(writer&, std::span<const std::byte> map, std::string_view key, std::span<const std::byte> value);

/// The same at a place that is known already.
void write_with(writer&, std::span<const std::byte> map, const key_place&, std::string_view key,
                std::span<const std::byte> value);

}  // namespace tgmap::cbor
