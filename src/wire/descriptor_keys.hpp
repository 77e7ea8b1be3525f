// SPDX-License-Identifier: Apache-2.0
// The keys of a descriptor, specification §6.1 and §6.2.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tgmap::wire {

/// The known keys.
enum class descriptor_key : std::uint8_t {
  type,
  ndim,
  shape,
  strides,
  dtype,
  encoding,
  filter,
  compression,
  byte_order,
  masks,
  hash,
  parameter,  ///< this key and those up to `other` are parameters of codecs, which are read with the codec
  other = parameter + 17
};

namespace descriptor_keys {

inline constexpr std::array<std::string_view, 28> keys{"type",
                                                       "ndim",
                                                       "shape",
                                                       "strides",
                                                       "dtype",
                                                       "encoding",
                                                       "filter",
                                                       "compression",
                                                       "byte_order",
                                                       "masks",
                                                       "hash",
                                                       "sp_reference_value",
                                                       "sp_binary_scale_factor",
                                                       "sp_decimal_scale_factor",
                                                       "sp_bits_per_value",
                                                       "reference_value",
                                                       "binary_scale_factor",
                                                       "decimal_scale_factor",
                                                       "bits_per_value",
                                                       "shuffle_element_size",
                                                       "szip_rsi",
                                                       "szip_block_size",
                                                       "szip_flags",
                                                       "szip_block_offsets",
                                                       "zfp_mode",
                                                       "zfp_rate",
                                                       "zfp_precision",
                                                       "zfp_tolerance"};
static_assert(static_cast<std::size_t>(descriptor_key::other) == keys.size());

/// Slot of a key in the lookup table: no two keys share one. The key must not be empty.
constexpr std::size_t slot_of(std::string_view key) noexcept {
  const auto at = [key](std::size_t i) { return std::size_t{static_cast<unsigned char>(key[i])}; };
  return (9 * at(0) + at(key.size() - 1) + 3 * at(key.size() / 2)) % 64;
}

/// The number of the key in each slot; `other` for empty slots.
inline constexpr auto key_slots = [] {
  std::array<std::uint8_t, 64> out{};
  out.fill(static_cast<std::uint8_t>(keys.size()));
  for (std::size_t i = 0; i < keys.size(); ++i) out[slot_of(keys[i])] = static_cast<std::uint8_t>(i);
  return out;
}();
static_assert([] {
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (key_slots[slot_of(keys[i])] != i) return false;
  return true;
}());

}  // namespace descriptor_keys

/// Returns the key of a name.
constexpr descriptor_key key_named(std::string_view name) noexcept {
  if (name.empty()) return descriptor_key::other;
  const std::size_t i = descriptor_keys::key_slots[descriptor_keys::slot_of(name)];
  return i < descriptor_keys::keys.size() && descriptor_keys::keys[i] == name ? static_cast<descriptor_key>(i)
                                                                              : descriptor_key::other;
}

/// Returns true if a descriptor key belongs to the library: a key of this or an earlier version of the wire format
/// (§6.1, §7), or one that it never writes. Readers interpret such keys for every pipeline.
constexpr bool is_library_key(std::string_view key) noexcept {
  // No reader needs these.
  constexpr std::array<std::string_view, 6> others{"zstd_level",      "blosc2_codec",         "blosc2_clevel",
                                                   "sz3_error_bound", "sz3_error_bound_mode", "_reserved_"};
  return key_named(key) != descriptor_key::other || std::ranges::find(others, key) != others.end();
}

}  // namespace tgmap::wire
