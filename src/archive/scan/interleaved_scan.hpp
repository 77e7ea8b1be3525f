// SPDX-License-Identifier: Apache-2.0
// Walks several chains of messages at once, so that their cache misses overlap. Bar: `scan/small/warm/map` in
// docs/cost.md; interleaved_scan_test compares it with one chain.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <tgmap/error.hpp>

#include "archive/scan/message_table.hpp"
#include "io/source.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

/// An `interleaved_scan` finds whole messages, streams included, in a region of an archive in memory. The first chain
/// begins at a known message boundary, the others at magic words further on. The messages of a chain count only if the
/// chain before it counts and ends exactly at its seed. So the result is the same as that of one chain.
class interleaved_scan {
 public:
  static constexpr std::size_t max_chains = 16;
  static constexpr std::size_t chain_capacity = 512;  ///< messages

  /// The messages found, in order; each part continues the one before.
  struct result {
    std::array<std::span<const message_table::entry>, max_chains> parts{};
    std::size_t count = 0;  ///< number of parts
    std::uint64_t end = 0;  ///< end of the last message found
    bool is_whole = false;  ///< all chains joined: every message of the region was found
    /// the scan stopped before the end of the region, where only parse_message_at can decide
    bool needs_parser = false;
  };

  /// Walks from `begin`, a message boundary, to the first boundary at or after `end`, with up to `count` chains. The
  /// source must be direct(). `are_apart`: reads single pages, and does not let the kernel read others ahead.
  /// Errors: out_of_memory; file_shrank, with nothing found.
  failure walk(const io::source&, std::uint64_t begin, std::uint64_t end, std::size_t count, result&,
               bool are_apart = false) noexcept;

 private:
  std::unique_ptr<message_table::entry[]> found_;
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
