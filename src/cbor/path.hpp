// SPDX-License-Identifier: Apache-2.0
// Finds keys, elements and paths in containers, like cbor_view::find, at and at_path. The bytes must be in memory, or
// the calls under a guard.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <tgmap/cbor_view.hpp>

namespace tgmap::cbor {

/// Returns the value of a text key of a map; the last one if the key is repeated.
[[nodiscard]] std::optional<cbor_view> find_key(const cbor_view& map, std::string_view key) noexcept;

/// Returns the second occurrence of the first repeated key that is one of `names`, at most 32. Keys are compared by
/// their text, however they are encoded. No allocation. Complexity: O(bytes of the map).
[[nodiscard]] std::optional<cbor_view> find_repeated(const cbor_view& map,
                                                     std::span<const std::string_view> names) noexcept;

/// Returns element `i` of an array.
[[nodiscard]] std::optional<cbor_view> find_element(const cbor_view& array, std::uint64_t i) noexcept;

/// A `path_match` is the result of following a path.
struct path_match {
  std::optional<cbor_view> found{};  ///< the item at its end
  cbor_view container{};             ///< the map or array of `found`
  unsigned depth = 0;                ///< number of containers around `found`, or around `nearest`
  cbor_view nearest{};               ///< if nothing is found: the item at the longest part of the path that exists
  std::size_t rest = 0;              ///< offset in the path after that part and its dot
};
[[nodiscard]] path_match follow_path(const cbor_view& value, std::string_view path) noexcept;

/// Does the same as cbor_view::at_path.
[[nodiscard]] std::optional<cbor_view> find_path(const cbor_view& value, std::string_view path) noexcept;

}  // namespace tgmap::cbor
