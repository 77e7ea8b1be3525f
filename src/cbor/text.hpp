// SPDX-License-Identifier: Apache-2.0
// Text and byte strings, in one piece or in many.
#pragma once

#include <cstddef>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "cbor/head.hpp"

namespace tgmap::cbor {

/// Returns the contents of a string in one piece; nothing for other items.
[[nodiscard]] std::optional<std::span<const std::byte>> string_contents(std::span<const std::byte> item) noexcept;

/// General form of text_equals(): for text of any length, in any number of pieces.
[[nodiscard]] bool any_text_equals(std::span<const std::byte> item, std::string_view wanted) noexcept;

/// Checks if `item` is text, in one piece or in many, that equals `wanted`. No copy.
[[nodiscard]] inline bool text_equals(std::span<const std::byte> item, std::string_view wanted) noexcept {
  // Nearly all keys are in one piece, with their length in the first byte.
  constexpr unsigned empty_text = static_cast<unsigned>(major::text) << 5, longest = 23;
  if (item.empty()) return false;
  const unsigned size = std::to_integer<unsigned>(item[0]) - empty_text;
  if (size > longest) return any_text_equals(item, wanted);
  return size == wanted.size() && size < item.size() && std::memcmp(item.data() + 1, wanted.data(), size) == 0;
}

/// Copies up to `out.size()` bytes of a string, with its pieces joined. Returns the size of the string; nothing for
/// other items.
[[nodiscard]] std::optional<std::size_t> copy_string(std::span<const std::byte> item, std::span<char> out) noexcept;

/// Returns a string with its pieces joined; empty for other items.
[[nodiscard]] std::string join_string(std::span<const std::byte> item);

/// Checks if a text is valid UTF-8.
[[nodiscard]] bool is_well_formed(std::string_view text) noexcept;

/// Replaces each byte that is not part of well-formed UTF-8 by U+FFFD.
[[nodiscard]] std::string well_formed(std::string text);

}  // namespace tgmap::cbor
