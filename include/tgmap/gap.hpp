// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <tgmap/error.hpp>

namespace tgmap {
inline namespace v0 {

/// Damage as data: the bytes [begin, end) of the archive belong to no message.
///
/// Messages, gaps and the tail of a completed scan tile the archive: every byte is in exactly one of them.
/// `begin == end` happens behind an incomplete streamed message that only lacks its end.
struct gap {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  failure cause{};  ///< why no message could be read at `begin`
};

/// An incomplete message at the end of the archive, [begin, end of the archive): a writer may still be at it,
/// or the file was cut. A state, not an error. Complete frames of a streamed message are not part of it.
struct incomplete_tail {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  failure cause{};  ///< what is missing; `expected` holds the length that was announced, if any
};

/// How far the scan has come. All counts only grow.
struct progress {
  std::uint64_t scanned_bytes = 0;  ///< archive bytes settled: messages, gaps and tail known up to here
  std::uint64_t total_bytes = 0;    ///< bytes of the archive
  std::uint64_t messages = 0;       ///< messages known, incomplete and version 1 ones included
  std::uint64_t gaps = 0;           ///< gaps known
  bool is_complete = false;         ///< nothing more will be found (also: stopped at damage)
};

}  // namespace v0
}  // namespace tgmap
