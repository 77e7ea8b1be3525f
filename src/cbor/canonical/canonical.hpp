// SPDX-License-Identifier: Apache-2.0
// The canonical form of a CBOR item (§3; RFC 8949 §4.2.1): definite lengths, shortest heads and floats, keys unique and
// in the order of the encoded bytes, text in UTF-8, and of the simple values only false, true and null.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <tgmap/error.hpp>
#include <vector>

namespace tgmap::cbor {

/// Maximum nesting that readers follow (§3).
inline constexpr std::size_t max_nesting = 256;

/// Checks if one encoded item comes before another as a key of a map.
[[nodiscard]] inline bool encoded_key_before(std::span<const std::byte> a, std::span<const std::byte> b) noexcept {
  const std::size_t both = a.size() < b.size() ? a.size() : b.size();
  const int order = both == 0 ? 0 : std::memcmp(a.data(), b.data(), both);
  return order != 0 ? order < 0 : a.size() < b.size();
}

/// Checks if `item` is exactly one item in canonical form, nested at most `max_nesting` deep. No allocation, no
/// recursion. Complexity: O(bytes).
[[nodiscard]] bool is_canonical(std::span<const std::byte> item) noexcept;

/// Returns the nesting depth of an item in canonical form; 0 for a number. If the depth exceeds `max_nesting`, the
/// result only tells that it does. Complexity: O(bytes).
[[nodiscard]] std::size_t nesting_depth(std::span<const std::byte> canonical) noexcept;

/// Converts exactly one item into canonical form. The last value of a repeated key wins; strings in pieces are joined,
/// ill-formed UTF-8 is repaired as by cbor_view::text(), and other simple values become null. Leaves the item unchanged
/// on an error.
/// Errors: bad_cbor, cbor_too_deep (found: the offset). Throws std::bad_alloc.
/// Complexity: O(n log n), no recursion. A key that is a container is moved once for each such key around it.
[[nodiscard]] failure make_canonical(std::vector<std::byte>& item);

}  // namespace tgmap::cbor
