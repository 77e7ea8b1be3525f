// SPDX-License-Identifier: Apache-2.0
// Passes over CBOR items, and steps through the items of a container, without recursion and without allocation. For
// bytes that cannot disappear while they are read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/cbor_view.hpp>

namespace tgmap::cbor {

/// Containers of indefinite length inside each other that are followed; definite ones cost nothing.
inline constexpr std::size_t most_open_containers = 1024;

/// As skip(), of any item.
[[nodiscard]] const std::byte* skip_any(const std::byte* at, const std::byte* end) noexcept;

/// Behind the item that begins at `at`, or null when it is not well-formed within [at, end). O(bytes passed over).
[[nodiscard]] inline const std::byte* skip(const std::byte* at, const std::byte* end) noexcept {
  // Most items are small numbers and short strings: passed over without a call.
  if (at == end) return nullptr;
  const auto first = std::to_integer<std::uint8_t>(*at);
  const std::ptrdiff_t info = first & 31, size = first >> 5 > 1 ? 1 + info : 1;
  return info < 24 && first >> 5 < 4 && size <= end - at ? at + size : skip_any(at, end);
}

/// Stands in place of a count where items go on until a break.
inline constexpr std::uint64_t until_break = UINT64_MAX;

/// Sets out over the container at the start of `item`; false when it is none.
[[nodiscard]] bool first(std::span<const std::byte> item, cbor_view::cursor& out) noexcept;

/// Steps to the next item; false at the end, and with `malformed` set where the bytes are no CBOR.
[[nodiscard]] bool next(cbor_view::cursor&) noexcept;

}  // namespace tgmap::cbor
