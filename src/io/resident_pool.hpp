// SPDX-License-Identifier: Apache-2.0
// Bytes of an unmapped archive that were returned as spans: read once, held until the archive is closed.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <tgmap/error.hpp>

#include "core/append_only_map.hpp"

namespace tgmap::io {

class source;

/// The limit that bytes count against. Structure (metadata, descriptors) has a limit of its own, so that it can still
/// be read when the limit of payloads is reached.
enum class budget : std::uint8_t { payload, structure };

/// A `resident_pool` keeps bytes of one source.
/// Thread safety: all members may run in any number of threads. If several threads need the same bytes, one reads them.
class resident_pool {
 public:
  /// `limit` is that of payloads. The limit of structure is the same, but at least `min_structure_limit`.
  explicit resident_pool(std::uint64_t limit) noexcept : limit_{limit, std::max(limit, min_structure_limit)} {}

  /// Returns the bytes [offset, offset + size) of the source, aligned to 64 bytes. O(1) if they are held already.
  /// Errors: resident_limit, out_of_memory, those of source::read.
  std::span<const std::byte> view(const source&, std::uint64_t offset, std::uint64_t size, budget,
                                  failure&) const noexcept;

  static constexpr std::uint64_t min_structure_limit = std::uint64_t{64} << 20;

 private:
  struct free_aligned {
    void operator()(std::byte* p) const noexcept;
  };
  struct block {
    std::unique_ptr<std::byte[], free_aligned> data;
    std::size_t size = 0;
  };
  std::array<std::uint64_t, 2> limit_;
  mutable std::array<std::atomic<std::uint64_t>, 2> held_{};
  mutable core::append_only_map<block> blocks_;  // by offset
  mutable std::array<std::mutex, 16> reading_;   // by a hash of the offset
};

}  // namespace tgmap::io
