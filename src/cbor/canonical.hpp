// SPDX-License-Identifier: Apache-2.0
// The one canonical form of a CBOR item (§3; RFC 8949 §4.2.1): definite lengths, shortest heads and floats, each key
// once and in the order of the encoded bytes, text that is UTF-8, of simple values only false, true and null.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <tgmap/error.hpp>
#include <vector>

namespace tgmap::cbor {

/// Containers inside each other that readers follow (§3).
inline constexpr std::size_t max_nesting = 256;

/// Whether one encoded item comes before another as a key of a map.
[[nodiscard]] inline bool encoded_key_before(std::span<const std::byte> a, std::span<const std::byte> b) noexcept {
  const std::size_t both = a.size() < b.size() ? a.size() : b.size();
  const int order = both == 0 ? 0 : std::memcmp(a.data(), b.data(), both);
  return order != 0 ? order < 0 : a.size() < b.size();
}

/// Whether `item` is one item and nothing behind it, in canonical form, of `max_nesting` containers in each other at
/// most. O(bytes), no allocation, no recursion.
[[nodiscard]] bool is_canonical(std::span<const std::byte> item) noexcept;

/// Containers inside each other in an item that is canonical, but for being perhaps too deep, which is any number above
/// `max_nesting`: 0 for a number. O(bytes).
[[nodiscard]] std::size_t nesting_depth(std::span<const std::byte> canonical) noexcept;

/// Brings the one item that these bytes are into canonical form. Of a key that is there twice the last value counts;
/// strings in pieces are joined, ill-formed UTF-8 is repaired as by value::text(), any other simple value becomes null.
/// O(n log n), no recursion; keys that are containers are moved once for each such key around them. Left as it was by
/// a failure. Errors: bad_cbor, cbor_too_deep (found: where). Throws std::bad_alloc.
[[nodiscard]] failure make_canonical(std::vector<std::byte>& item);

}  // namespace tgmap::cbor
