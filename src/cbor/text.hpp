// SPDX-License-Identifier: Apache-2.0
// Text and byte strings, in one piece or in many.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tgmap::cbor {

/// The contents of a string item in one piece; nothing when it is in pieces, malformed or no string.
[[nodiscard]] std::optional<std::span<const std::byte>> string_contents(std::span<const std::byte> item) noexcept;

/// Whether `item` is text, in one piece or many, that equals `wanted`. No copy.
[[nodiscard]] bool text_equals(std::span<const std::byte> item, std::string_view wanted) noexcept;

/// Copies up to `out.size()` bytes of a string item, pieces joined. Returns its whole size; nothing when no string.
[[nodiscard]] std::optional<std::size_t> copy_string(std::span<const std::byte> item, std::span<char> out) noexcept;

/// All of a string item, pieces joined; empty when it is no string.
[[nodiscard]] std::string join_string(std::span<const std::byte> item);

/// Whether it is UTF-8 throughout.
[[nodiscard]] bool is_well_formed(std::string_view text) noexcept;

/// Replaces each byte that is not part of well-formed UTF-8 by U+FFFD.
[[nodiscard]] std::string well_formed(std::string text);

}  // namespace tgmap::cbor
