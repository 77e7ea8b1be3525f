// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <tgmap/export.hpp>

namespace tgmap {
inline namespace v0 {

/// A box of elements, one entry a dimension: `count` of them from `start` on, each `stride` after the one before.
/// Spans are borrowed. `stride` empty: 1 everywhere; no stride is 0.
struct slab {
  std::span<const std::uint64_t> start{};
  std::span<const std::uint64_t> count{};
  std::span<const std::uint64_t> stride{};
};

/// What reading a part takes, in bytes.
struct part_cost {
  std::uint64_t read = 0;     ///< of the archive
  std::uint64_t decoded = 0;  ///< by the codecs, of which the part is kept
  bool whole = false;         ///< nothing less than the whole object can be decoded
};

}  // namespace v0
}  // namespace tgmap
