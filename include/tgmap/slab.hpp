// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

namespace tgmap {
inline namespace v0 {

/// A box of elements, one entry a dimension: `count` of them from `start` on, each `stride` after the one before.
/// `stride` empty: 1 everywhere; no stride is 0. Owns its numbers, so that it may be kept: `reader.slab({{0, 0}, {2,
/// 3}})`.
struct slab {
  std::vector<std::uint64_t> start{};
  std::vector<std::uint64_t> count{};
  std::vector<std::uint64_t> stride{};

  slab() noexcept = default;
  /// Copies what is given: lists, arrays, vectors or spans. Errors: out_of_memory.
  slab(std::initializer_list<std::uint64_t> from, std::initializer_list<std::uint64_t> size,
       std::initializer_list<std::uint64_t> step = {})
      : start(from), count(size), stride(step) {}
  slab(std::span<const std::uint64_t> from, std::span<const std::uint64_t> size,
       std::span<const std::uint64_t> step = {})
      : start(from.begin(), from.end()), count(size.begin(), size.end()), stride(step.begin(), step.end()) {}
};

/// What reading a part takes, in bytes.
struct part_cost {
  std::uint64_t bytes_read = 0;     ///< of the archive
  std::uint64_t bytes_decoded = 0;  ///< by the codecs, of which the part is kept
  bool decodes_whole_object = false;         ///< nothing less than the whole object can be decoded
};

}  // namespace v0
}  // namespace tgmap
