// SPDX-License-Identifier: Apache-2.0
#include "codec/lz4_block.hpp"

namespace tgmap::codec {

namespace {

constexpr unsigned lz4_extended = 15;  ///< of a length in a token: bytes that follow are added, up to one below 255
constexpr std::size_t lz4_offset_size = 2;

/// Adds the bytes that a length goes on with. False: they are cut.
bool extend(std::span<const std::byte> bytes, std::size_t& at, std::uint64_t& length) noexcept {
  while (at < bytes.size()) {
    const auto more = std::to_integer<unsigned>(bytes[at++]);
    length += more;
    if (more != 255) return true;
  }
  return false;
}

}  // namespace

lz4_cut find_last_lz4_cut(std::span<const std::byte> bytes) noexcept {
  lz4_cut out;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t token = at;
    const auto lengths = std::to_integer<unsigned>(bytes[at++]);
    std::uint64_t literals = lengths >> 4, match = lengths & 15;
    if (literals == lz4_extended && !extend(bytes, at, literals)) break;
    const std::size_t left = bytes.size() - at;
    if (literals >= lz4_last_literals && left >= lz4_last_literals) out = {token, at, literals};
    if (left < lz4_offset_size || literals > left - lz4_offset_size) break;
    at += static_cast<std::size_t>(literals) + lz4_offset_size;
    if (match == lz4_extended && !extend(bytes, at, match)) break;
  }
  return out;
}

}  // namespace tgmap::codec
