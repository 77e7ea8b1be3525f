// SPDX-License-Identifier: Apache-2.0
// Many hops at once: each waits for its own cache miss while the others go on.
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

/// Walks a region of an archive in memory along sound messages, streams included, by several chains at once. The first
/// begins where a message is known to begin, the others at magic words further on. What a chain found counts only when
/// the one before it, proven up to there, lands exactly on its seed: the result is that of one chain.
class interleaved_scan {
 public:
  static constexpr std::size_t max_chains = 16;       ///< chains
  static constexpr std::size_t chain_capacity = 512;  ///< messages that one of them can hold

  /// What was found, in order; the parts follow each other.
  struct result {
    std::array<std::span<const message_table::entry>, max_chains> parts{};
    std::size_t count = 0;  ///< parts
    std::uint64_t end = 0;  ///< of the last message found
    bool whole = false;     ///< all chains joined: everything up to the end of the region was found
    bool needs_parser =
        false;  ///< at `end` there is something that only parse_message_at() can tell; else the region ended
  };

  /// Walks from `begin`, where a message begins or something else, to the first border at or behind `end`, by up to
  /// `count` chains. For a source that is direct(). Errors: out_of_memory; file_shrank, with nothing found.
  failure walk(const io::source&, std::uint64_t begin, std::uint64_t end, std::size_t count, result&) noexcept;

 private:
  std::unique_ptr<message_table::entry[]> found_;
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
