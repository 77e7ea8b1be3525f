// SPDX-License-Identifier: Apache-2.0
// Reads text and numbers in one piece, as nearly all are. For bytes that cannot go away. Of any other form nothing is
// returned; the caller then uses the general readers. first_touch/large/memory takes 1.3 times as long with those
// alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "cbor/head.hpp"
#include "core/same_text.hpp"

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

}  // namespace tgmap::cbor
