// SPDX-License-Identifier: Apache-2.0
// Edits encoded maps in canonical form without building a tree.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <tgmap/cbor_view.hpp>
#include <vector>

#include "cbor/writer.hpp"

namespace tgmap::cbor {

/// The position of a text key in a map, or the position where it must be inserted. Offsets are from the start of the
/// map.
struct key_place {
  std::uint64_t pairs = 0;  ///< number of pairs of the map
  std::size_t body = 0;     ///< after its head
  std::size_t at = 0;       ///< of the key; where it belongs if it is absent
  std::size_t value = 0;    ///< of its value; `at` if it is absent
  std::size_t end = 0;      ///< after its value; `at` if it is absent
  bool there = false;
};

/// Finds a key in a canonical map. For other bytes it returns some position inside them. No allocation. Complexity:
/// O(bytes).
[[nodiscard]] key_place place_of(std::span<const std::byte> map, std::string_view key) noexcept;

[[nodiscard]] inline bool has_key(std::span<const std::byte> map, std::string_view key) noexcept {
  return place_of(map, key).there;
}

/// Finds a key, and checks in the same pass that all keys of a canonical map are text. Complexity: O(bytes).
[[nodiscard]] bool find_in_text_map(std::span<const std::byte> map, std::string_view key, key_place&) noexcept;

/// Writes the map with one more pair, whose key must be absent. Bytes after the map are copied, too.
void write_with(writer&, std::span<const std::byte> map, std::string_view key, std::span<const std::byte> value);

/// The same at a known place.
void write_with(writer&, std::span<const std::byte> map, const key_place&, std::string_view key,
                std::span<const std::byte> value);

/// Puts `item` at the end of a path. If the path does not exist, extends its longest part that does by maps.
/// Errors: bad_key (empty, not UTF-8, or a missing element of an array), cbor_too_deep. Complexity: O(bytes) for each
/// key or element of the path.
[[nodiscard]] failure set_path(std::vector<std::byte>& map, std::string_view path, std::span<const std::byte> item);

/// Puts the item that `choose` returns, which receives the present item. `changed`: the two differ. Throws what
/// `choose` throws.
using item_chooser = std::function<std::span<const std::byte>(const std::optional<cbor_view>& there)>;
[[nodiscard]] failure set_path(std::vector<std::byte>& map, std::string_view path, const item_chooser& choose,
                               bool& changed);

/// Removes a pair or an element. Returns false if it does not exist.
bool erase_path(std::vector<std::byte>& map, std::string_view path);

/// Adds all pairs of `other`; they replace those with the same keys. Complexity: O(bytes).
void merge_maps(std::vector<std::byte>& map, std::span<const std::byte> other);

}  // namespace tgmap::cbor
