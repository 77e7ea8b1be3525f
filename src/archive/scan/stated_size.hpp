// SPDX-License-Identifier: Apache-2.0
// Fast path for messages that state their length. Agrees with parse_message_at, or returns nothing: see scanner_test
// and interleaved_scan_test. Bars: `scan/*` in docs/cost.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "wire/message_layout.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

/// A `stated_size` is the length that a preamble states; 0 for a stream. `version` is 0 for preambles that are left to
/// parse_message_at.
struct stated_size {
  std::uint64_t length = 0;
  std::uint32_t version = 0;
};

inline bool is_magic(const std::byte* at, const std::array<std::byte, 8>& magic) noexcept {
  return std::memcmp(at, magic.data(), 8) == 0;
}

/// Number of bytes read before and after the boundary of two messages.
constexpr std::size_t border_before = 16, border_behind = wire::preamble_size;

/// Reads the preamble of version 2 or 3 at `at`, of a stream or of a message that fits into the `left` bytes from
/// there. At least 24 bytes must be readable. Leaves older versions and damage to parse_message_at.
inline stated_size read_stated_size(const std::byte* at, std::uint64_t left) noexcept {
  if (!is_magic(at, wire::message_magic)) return {};
  const std::uint64_t length = wire::load_be<std::uint64_t>(at + 16);
  const auto version = static_cast<std::uint32_t>(wire::load_be<std::uint64_t>(at + 8) >> 48);
  wire::prevent_reload();
  if (!wire::has_frames(version)) return {};
  if (length != 0 && !wire::is_message_length(length, version, left)) return {};
  return {length, version};
}

/// Checks if a message that states its length ends at `end`. The last `border_before` bytes must be readable.
inline bool message_ends_at(const std::byte* end, const stated_size& message) noexcept {
  if (!is_magic(end - 8, wire::end_magic)) return false;
  if (message.version == 2) return true;
  const std::uint64_t mirrored = wire::load_be<std::uint64_t>(end - 16);
  wire::prevent_reload();
  return wire::agrees_with_length(mirrored, message.length);
}

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
