// SPDX-License-Identifier: Apache-2.0
// Skips CBOR items, and steps through the items of a container, without recursion and without allocation. For bytes
// that cannot disappear meanwhile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/cbor_view.hpp>

namespace tgmap::cbor {

/// Maximum nesting of containers of indefinite length; definite ones cost nothing.
inline constexpr std::size_t most_open_containers = 1024;

/// As skip(), for any item.
[[nodiscard]] const std::byte* skip_any(const std::byte* at, const std::byte* end) noexcept;

/// Returns the end of the item that begins at `at`; null if it is not well-formed within [at, end). Complexity: O(bytes
/// skipped).
[[nodiscard]] inline const std::byte* skip(const std::byte* at, const std::byte* end) noexcept {
  // Most items are small numbers and short strings, which need no call.
  if (at == end) return nullptr;
  const auto first = std::to_integer<std::uint8_t>(*at);
  const std::ptrdiff_t info = first & 31, size = first >> 5 > 1 ? 1 + info : 1;
  return info < 24 && first >> 5 < 4 && size <= end - at ? at + size : skip_any(at, end);
}

/// The count of a container that ends with a break.
inline constexpr std::uint64_t until_break = UINT64_MAX;

/// Begins to step through the container at the start of `item`. Returns false if it is not a container.
[[nodiscard]] bool first(std::span<const std::byte> item, cbor_view::cursor& out) noexcept;

/// Steps to the next item. Returns false at the end; and, with `is_malformed` set, where the bytes are not CBOR.
[[nodiscard]] bool next(cbor_view::cursor&) noexcept;

}  // namespace tgmap::cbor
