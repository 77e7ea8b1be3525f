// SPDX-License-Identifier: Apache-2.0
// Encoded maps in canonical form: finds a key, adds a pair and edits by path, without building a tree.
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
[[nodiscard]] bool find_in_text_map(std::span<const std::byte> map, std::string_view key, key_place&) noexcept;

/// Writes the map with one more pair, whose key it does not have. `map` may have bytes of something else behind it:
/// they follow, too.
void write_with(writer&, std::span<const std::byte> map, std::string_view key, std::span<const std::byte> value);

/// The same at a place that is known already.
void write_with(writer&, std::span<const std::byte> map, const key_place&, std::string_view key,
                std::span<const std::byte> value);

/// Puts `item` where the path leads. Of a path that leads nowhere the longest part that leads somewhere counts; what
/// is missing behind it becomes maps. O(bytes) for each key or element of the path.
/// Errors: bad_key (empty, no UTF-8, or an element that is not there), cbor_too_deep.
[[nodiscard]] failure set_path(std::vector<std::byte>& map, std::string_view path, std::span<const std::byte> item);

/// The same of what `choose` says, which is told what is there; `changed`: whether that is another. Throws what
/// `choose` throws.
using chosen_item = std::function<std::span<const std::byte>(const std::optional<cbor_view>& there)>;
[[nodiscard]] failure set_path(std::vector<std::byte>& map, std::string_view path, const chosen_item& choose,
                               bool& changed);

/// Takes away the pair or the element that the path leads to. Returns whether there was one.
bool erase_path(std::vector<std::byte>& map, std::string_view path);

/// All pairs of both; where both have a key, the value of `other`. O(bytes).
void merge_maps(std::vector<std::byte>& map, std::span<const std::byte> other);

}  // namespace tgmap::cbor
