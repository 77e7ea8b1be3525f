// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

namespace tgmap_fuzz {

/// A `seeded_random` generates numbers that depend only on a seed (SplitMix64), so that every run can be repeated.
class seeded_random {
 public:
  explicit seeded_random(std::uint64_t seed) noexcept : state_(seed) {}

  /// Seeds from all bytes of an input.
  explicit seeded_random(std::span<const std::byte> input) noexcept : state_(0xcbf29ce484222325u) {
    for (const std::byte b : input) state_ = (state_ ^ std::to_integer<std::uint64_t>(b)) * 0x100000001b3u;
  }

  std::uint64_t next() noexcept {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
  }

  /// Returns a number below `end`, which is not 0.
  std::uint64_t below(std::uint64_t end) noexcept { return next() % end; }
  bool one_in(std::uint64_t n) noexcept { return below(n) == 0; }

 private:
  std::uint64_t state_;
};

}  // namespace tgmap_fuzz
