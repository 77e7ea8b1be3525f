// SPDX-License-Identifier: Apache-2.0
// Skips CBOR items, and steps through the items of a container, without recursion and without allocation. For bytes
// that cannot disappear meanwhile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/cbor_view.hpp>

#include "cbor/head.hpp"

namespace tgmap::cbor {

/// Maximum nesting of containers of indefinite length. Those of definite length are not limited.
inline constexpr std::size_t max_open_containers = 1024;

/// General form of skip().
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
[[nodiscard]] inline bool first(std::span<const std::byte> item, cbor_view::cursor& out) noexcept {
  out = {};
  const std::byte* at = item.data();
  const std::byte* const end = item.data() + item.size();
  head container;
  if (at == nullptr || !read_head(at, end, container)) return false;
  if (container.major != major::array && container.major != major::map) return false;
  out.has_key = container.major == major::map;
  out.remaining = container.indefinite() ? until_break : container.argument;
  out.index = UINT64_MAX;  // next() makes it 0
  // Every item takes at least a byte. A larger count is damage, and could be mistaken for `until_break`.
  const auto max_count = static_cast<std::uint64_t>(end - at) / (out.has_key ? 2 : 1);
  if (!container.indefinite() && container.argument > max_count) {
    out.is_malformed = true;
    out.remaining = 0;
  }
  out.rest = at;
  out.end = end;
  return true;
}

/// Steps to the next item. Returns false at the end; and, with `is_malformed` set, where the bytes are not CBOR.
[[nodiscard]] inline bool next(cbor_view::cursor& s) noexcept {
  if (s.remaining == 0 || s.is_malformed) return false;
  if (s.remaining == until_break && s.rest != s.end && *s.rest == break_byte) {
    s.remaining = 0;
    return false;
  }
  const std::byte* at = s.rest;
  if (s.has_key) {
    const std::byte* const behind = skip(at, s.end);
    if (behind == nullptr) return !(s.is_malformed = true);
    s.key = cbor_view({at, behind});
    at = behind;
  }
  const std::byte* const behind = skip(at, s.end);
  if (behind == nullptr) return !(s.is_malformed = true);
  s.value = cbor_view({at, behind});
  s.rest = behind;
  ++s.index;
  if (s.remaining != until_break) --s.remaining;
  return true;
}

}  // namespace tgmap::cbor
