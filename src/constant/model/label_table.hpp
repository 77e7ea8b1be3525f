// SPDX-License-Identifier: Apache-2.0
// The lookup table of mapped labels, with open addressing. An entry has 8 bytes, little-endian in memory and in
// archives: the upper half of the hash of the labels, and the index of the block plus 1. An empty entry is 0.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <tgmap/constant/tensor_constant.hpp>

#include "constant/model/byte_buffer.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant {

inline constexpr std::uint64_t max_blocks = 0xFFFFFFFE;

/// Returns the hash of all labels of a block. The hash of each label is the seed of the next one.
std::uint64_t hash_labels(std::span<const std::string_view> labels, std::uint64_t seed) noexcept;

/// Returns the number of entries for so many blocks: a power of 2, at most three quarters full.
inline std::uint64_t table_size(std::uint64_t blocks) noexcept {
  return blocks == 0 ? 0 : std::bit_ceil(blocks + blocks / 3 + 1);
}

inline std::uint64_t table_entry(std::uint64_t hash, std::uint64_t block) noexcept {
  return (hash & 0xFFFFFFFF00000000) | (block + 1);
}

/// Loads and stores little-endian numbers at any alignment.
inline std::uint64_t load_number(std::span<const std::byte> from, std::uint64_t i) noexcept {
  std::uint64_t out;
  std::memcpy(&out, from.data() + i * 8, 8);
  return std::endian::native == std::endian::little ? out : __builtin_bswap64(out);
}
inline void store_number(std::byte* to, std::uint64_t i, std::uint64_t number) noexcept {
  if constexpr (std::endian::native == std::endian::big) number = __builtin_bswap64(number);
  std::memcpy(to + i * 8, &number, 8);
}

/// A `table_slot` is the block with the labels, or the entry where it can be added.
struct table_slot {
  bool is_found = false;
  std::uint64_t index = 0;  ///< of the block, or of the entry
};

/// Finds the block for which `has_labels(block)` is true among the entries with this hash.
/// Complexity: O(1) expected, at most one pass over the table.
template <class HasLabels>
table_slot find_slot(std::span<const std::byte> table, std::uint64_t hash, HasLabels&& has_labels) {
  const std::uint64_t mask = table.size() / 8 - 1;
  std::uint64_t at = hash & mask;
  for (std::uint64_t step = 0; step <= mask; ++step, at = (at + 1) & mask) {
    const std::uint64_t entry = load_number(table, at);
    if (entry == 0) return {false, at};
    if ((entry ^ hash) >> 32 == 0 && has_labels((entry & 0xFFFFFFFF) - 1)) return {true, (entry & 0xFFFFFFFF) - 1};
  }
  return {false, mask + 1};
}

/// A `lookup_table` is a table as archives store it. The same labels always give the same table.
struct lookup_table {
  byte_buffer entries{};
  std::uint64_t seed = 0;
};

/// Makes the table of a constant with mapped dimensions. The seed is the hash of the labels, or one of the 15 numbers
/// after it if too many hashes collide, as chosen labels can cause.
/// Errors: bad_constant, tgmap::errc::out_of_memory.
/// Complexity: O(blocks).
lookup_table make_lookup_table(const tensor_constant&, failure&) noexcept;

}  // namespace constant
}  // namespace v0
}  // namespace tgmap
