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

#include "cbor/canonical/writer.hpp"

namespace tgmap::cbor {

/// A `key_place` is the position of a text key in a map, or the position where it must be inserted. Offsets count from
/// the start of the map.
struct key_place {
  std::uint64_t pairs = 0;  ///< number of pairs of the map
  std::size_t body = 0;     ///< offset after the head
  std::size_t offset = 0;   ///< of the key, or where it must be inserted
  std::size_t value = 0;    ///< of its value; `offset` if it is absent
  std::size_t end = 0;      ///< after its value; `offset` if it is absent
  bool is_present = false;
};

/// Finds a key in a canonical map. Of other bytes the result is any position inside them. No allocation.
/// Complexity: O(bytes).
[[nodiscard]] key_place place_of(std::span<const std::byte> map, std::string_view key) noexcept;

[[nodiscard]] inline bool has_key(std::span<const std::byte> map, std::string_view key) noexcept {
  return place_of(map, key).is_present;
}

/// Finds a key, and checks in the same pass that all keys of a canonical map are text. Complexity: O(bytes).
[[nodiscard]] bool find_in_text_map(std::span<const std::byte> map, std::string_view key, key_place&) noexcept;

/// Writes the map with one more pair, whose key must be absent. Bytes after the map are copied, too.
void write_with(writer&, std::span<const std::byte> map, std::string_view key, std::span<const std::byte> value);

/// Does the same at a known place.
void write_with(writer&, std::span<const std::byte> map, const key_place&, std::string_view key,
                std::span<const std::byte> value);

/// Sets the item at a path. Adds maps for the parts of the path that do not exist.
/// Errors: bad_key (empty, not UTF-8, or a missing element of an array), cbor_too_deep. Complexity: O(bytes) for each
/// key or element of the path.
[[nodiscard]] failure set_path(std::vector<std::byte>& map, std::string_view path, std::span<const std::byte> item);

/// Returns the new item for the current one, which may be absent.
using item_chooser = std::function<std::span<const std::byte>(const std::optional<cbor_view>& current)>;
/// Sets the item at a path to the result of `choose`. Sets `changed` if it differs from the current item. Throws what
/// `choose` throws.
[[nodiscard]] failure set_path(std::vector<std::byte>& map, std::string_view path, const item_chooser& choose,
                               bool& changed);

/// Removes a pair or an element. Returns false if it does not exist.
bool erase_path(std::vector<std::byte>& map, std::string_view path);

/// Adds all pairs of `other`; they replace those with the same keys. Complexity: O(bytes).
void merge_maps(std::vector<std::byte>& map, std::span<const std::byte> other);

}  // namespace tgmap::cbor
