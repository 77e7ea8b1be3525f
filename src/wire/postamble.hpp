// SPDX-License-Identifier: Apache-2.0
// Postamble, specification §2.6.
//
//   version 2 (16 bytes)          version 3 (24 bytes)
//   0  8  first_footer_offset     0   8  first_footer_offset
//   8  8  "39277777"              8   8  total_length; 0: streamed, never filled in
//                                 16  8  "39277777"
#pragma once

#include <optional>

#include "wire/bytes.hpp"

namespace tgmap::wire {

inline constexpr auto end_magic = ascii("39277777");
inline constexpr std::size_t largest_postamble = 24;

[[nodiscard]] constexpr std::size_t postamble_size(unsigned version) noexcept { return version == 2 ? 16 : 24; }

struct postamble {
  std::uint64_t first_footer_offset = 0;  ///< from the start of the message
  std::uint64_t total_length = 0;         ///< version 3 only; 0: not stated
};

/// Parses the postamble at `bytes[0]`; returns nothing if the magic is missing.
[[nodiscard]] constexpr std::optional<postamble> parse_postamble(std::span<const std::byte> bytes,
                                                                 unsigned version) noexcept {
  const std::size_t size = postamble_size(version);
  if (bytes.size() < size || !starts_with(bytes, size - end_magic.size(), end_magic)) return std::nullopt;
  return postamble{.first_footer_offset = load_be<std::uint64_t>(bytes, 0),
                   .total_length = version == 2 ? 0 : load_be<std::uint64_t>(bytes, 8)};
}

/// Writes a postamble of `postamble_size(version)` bytes at `to`.
constexpr void put_postamble(std::byte* to, const postamble& what, unsigned version) noexcept {
  store_be(to, what.first_footer_offset);
  if (version != 2) store_be(to + 8, what.total_length);
  std::copy(end_magic.begin(), end_magic.end(), to + postamble_size(version) - end_magic.size());
}

/// Offset of the message length in a postamble of version 3.
inline constexpr std::size_t length_in_postamble = 8;

}  // namespace tgmap::wire
