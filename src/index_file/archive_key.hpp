// SPDX-License-Identifier: Apache-2.0
// The key by which the cache finds the indexes of an archive.
#pragma once

#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "index_file/format.hpp"

namespace tgmap::index_file {

/// Number of bytes at the start of an archive that are its key: a power of two, so that an archive that grows can be
/// found by the key of when it was shorter.
constexpr std::uint64_t key_size(std::uint64_t covered) noexcept {
  return std::min<std::uint64_t>(std::bit_floor(covered), sample_size);
}

/// No message is shorter than the shortest key.
inline constexpr std::uint64_t min_key_size = 16;

/// Returns the key of an archive by its first bytes: XXH3-128 as 32 hexadecimal digits.
inline std::string key_of(std::span<const std::byte> bytes) {
  XXH128_canonical_t digest;
  XXH128_canonicalFromHash(&digest, XXH3_128bits(bytes.data(), bytes.size()));
  constexpr const char* digits = "0123456789abcdef";
  std::string out;
  for (const unsigned char each : digest.digest) {
    out += digits[each >> 4];
    out += digits[each & 15];
  }
  return out;
}

}  // namespace tgmap::index_file
