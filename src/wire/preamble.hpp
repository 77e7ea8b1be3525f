// SPDX-License-Identifier: Apache-2.0
// Preamble, specification §0.2, §1, §2.1.
//
//   off size version 2 and 3          version 1
//   0   8    "TENSOGRM"               "TENSOGRM"
//   8   2    version (2 or 3)         top of total_length, zero below 2^48
//   10  2    message flags
//   12  4    reserved
//   16  8    total_length; 0: streamed   (version 1: total_length at 8, then metadata_offset)
#pragma once

#include <optional>

#include "wire/bytes.hpp"

namespace tgmap::wire {

inline constexpr auto message_magic = ascii("TENSOGRM");
inline constexpr std::size_t preamble_size = 24;
static_assert(message_magic.size() == 8);

/// Message flags. Hints only: real files announce frames that are not there.
enum message_flag : std::uint16_t {
  header_metadata_flag = 1u << 0,
  footer_metadata_flag = 1u << 1,
  header_index_flag = 1u << 2,
  footer_index_flag = 1u << 3,
  header_hashes_flag = 1u << 4,
  footer_hashes_flag = 1u << 5,
  preceder_flag = 1u << 6,
  hashes_present_flag = 1u << 7,
};

struct preamble {
  std::uint16_t version = 0;  ///< 1, or the number in bytes 8 and 9
  std::uint16_t flags = 0;
  std::uint64_t total_length = 0;  ///< 0: streamed
};

/// Parses the preamble at `bytes[0]`; returns nothing if the magic is missing.
[[nodiscard]] constexpr std::optional<preamble> parse_preamble(std::span<const std::byte> bytes) noexcept {
  if (bytes.size() < preamble_size || !starts_with(bytes, 0, message_magic)) return std::nullopt;
  const auto version = load_be<std::uint16_t>(bytes, 8);
  if (version == 0) return preamble{.version = 1, .flags = 0, .total_length = load_be<std::uint64_t>(bytes, 8)};
  return preamble{.version = version,
                  .flags = load_be<std::uint16_t>(bytes, 10),
                  .total_length = load_be<std::uint64_t>(bytes, 16)};
}

/// Writes a preamble of `preamble_size` bytes at `to`. Version 2 or 3.
constexpr void put_preamble(std::byte* to, const preamble& what) noexcept {
  std::copy(message_magic.begin(), message_magic.end(), to);
  store_be(to + 8, what.version);
  store_be(to + 10, what.flags);
  store_be(to + 12, std::uint32_t{0});
  store_be(to + 16, what.total_length);
}

/// Offset of the length in a message.
inline constexpr std::size_t length_in_preamble = 16;

}  // namespace tgmap::wire
