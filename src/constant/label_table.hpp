// SPDX-License-Identifier: Apache-2.0
// The lookup table of mapped labels: open addressing over entries of 8 bytes, little-endian in archives as in memory:
// the upper half of the labels' hash, and the block's number plus one; 0 where nothing is.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace tgmap {
inline namespace v0 {
namespace constant {

inline constexpr std::uint64_t most_blocks = 0xFFFFFFFE;

/// Of all labels of one block, in order: each one's hash seeds the next one's.
std::uint64_t hash_of(std::span<const std::string_view> labels, std::uint64_t seed) noexcept;

/// Entries for so many blocks: a power of 2, at most three quarters full.
inline std::uint64_t table_size(std::uint64_t blocks) noexcept {
  return blocks == 0 ? 0 : std::bit_ceil(blocks + blocks / 3 + 1);
}

inline std::uint64_t table_entry(std::uint64_t hash, std::uint64_t block) noexcept {
  return (hash & 0xFFFFFFFF00000000) | (block + 1);
}

/// Numbers of a mapping: at any address, and little-endian.
inline std::uint64_t load_number(std::span<const std::byte> from, std::uint64_t i) noexcept {
  std::uint64_t out;
  std::memcpy(&out, from.data() + i * 8, 8);
  return std::endian::native == std::endian::little ? out : __builtin_bswap64(out);
}
inline void store_number(std::byte* to, std::uint64_t i, std::uint64_t number) noexcept {
  if constexpr (std::endian::native == std::endian::big) number = __builtin_bswap64(number);
  std::memcpy(to + i * 8, &number, 8);
}

/// Walks the entries that may be of this hash, until `same(block)` says so: then its block, else where it could be
/// put, as an entry's number. O(1) expected; never more than once round the table.
struct table_place {
  bool found = false;
  std::uint64_t number = 0;
};
template <class Same>
table_place look_up(std::span<const std::byte> table, std::uint64_t hash, Same&& same) {
  const std::uint64_t mask = table.size() / 8 - 1;
  std::uint64_t at = hash & mask;
  for (std::uint64_t step = 0; step <= mask; ++step, at = (at + 1) & mask) {
    const std::uint64_t entry = load_number(table, at);
    if (entry == 0) return {false, at};
    if ((entry ^ hash) >> 32 == 0 && same((entry & 0xFFFFFFFF) - 1)) return {true, (entry & 0xFFFFFFFF) - 1};
  }
  return {false, mask + 1};
}

}  // namespace constant
}  // namespace v0
}  // namespace tgmap
