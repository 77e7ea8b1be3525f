// SPDX-License-Identifier: Apache-2.0
// Samples of the archive, which tell if an index belongs to it.
#pragma once

#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "index_file/format.hpp"

namespace tgmap::index_file {

/// Mixes a number so that consecutive ones give numbers far apart (the finalizer of SplitMix64).
constexpr std::uint64_t mixed(std::uint64_t number) noexcept {
  number += 0x9e3779b97f4a7c15;
  number = (number ^ number >> 30) * 0xbf58476d1ce4e5b9;
  number = (number ^ number >> 27) * 0x94d049bb133111eb;
  return number ^ number >> 31;
}

inline constexpr std::size_t max_samples = 64;
using sample_digests = std::array<std::uint64_t, max_samples>;

/// Number of samples of an index. Archives of fewer bytes than the first samples cover have fewer.
constexpr std::uint64_t sample_count(std::uint64_t covered) noexcept {
  return std::min<std::uint64_t>(covered / sample_size + (covered % sample_size != 0), max_samples);
}

struct sample_range {
  std::uint64_t offset = 0;
  std::size_t size = 0;
};

/// Returns the bytes of sample `i`: the first is at the start, the second at the end of the covered bytes, the others
/// are whole pages that the seed chooses.
constexpr sample_range sample_at(std::uint64_t seed, std::uint64_t i, std::uint64_t covered) noexcept {
  const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(sample_size, covered));
  if (i == 0 || covered <= sample_size) return {.offset = 0, .size = size};
  if (i == 1) return {.offset = covered - sample_size, .size = size};
  return {.offset = mixed(seed + i) % (covered / sample_size) * sample_size, .size = size};
}

inline std::uint64_t sample_digest(std::span<const std::byte> bytes) noexcept {
  return XXH3_64bits(bytes.data(), bytes.size());
}

}  // namespace tgmap::index_file
