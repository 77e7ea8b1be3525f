// SPDX-License-Identifier: Apache-2.0
// Items in the form that nearly all have, read without ceremony. For bytes that cannot go away. Who gets no answer asks
// those who know every form.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "cbor/head.hpp"
#include "cbor/skip.hpp"

namespace tgmap::cbor {

/// Text in one piece at `at`, which moves behind it.
[[nodiscard]] inline std::optional<std::string_view> usual_text(const std::byte*& at, const std::byte* end) noexcept {
  const std::byte* from = at;
  head text;
  if (!read_head(from, end, text) || text.major != major::text || text.indefinite()) return std::nullopt;
  if (text.argument > static_cast<std::uint64_t>(end - from)) return std::nullopt;
  at = from + text.argument;
  return std::string_view(reinterpret_cast<const char*>(from), static_cast<std::size_t>(text.argument));
}

/// An unsigned integer at `at`, which moves behind it.
[[nodiscard]] inline bool usual_number(const std::byte*& at, const std::byte* end, std::uint64_t& out) noexcept {
  head number;
  if (!read_head(at, end, number) || number.major != major::unsigned_integer) return false;
  out = number.argument;
  return true;
}

/// As skip(), without a call for integers and strings in one piece.
[[nodiscard]] inline const std::byte* pass(const std::byte* at, const std::byte* end) noexcept {
  const std::byte* behind = at;
  head item;
  if (!read_head(behind, end, item)) return nullptr;
  if (item.major == major::unsigned_integer || item.major == major::negative_integer) return behind;
  if ((item.major != major::text && item.major != major::bytes) || item.indefinite()) return skip(at, end);
  return item.argument <= static_cast<std::uint64_t>(end - behind) ? behind + item.argument : nullptr;
}

}  // namespace tgmap::cbor
