// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <tgmap/error.hpp>

namespace tgmap {
inline namespace v0 {

/// A `gap` is a range of bytes [begin, end) that belongs to no message.
///
/// After a completed scan, each byte of the archive is in exactly one message, gap or incomplete tail. A gap is empty
/// (`begin == end`) behind an incomplete streamed message that lacks only its end.
struct gap {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  failure cause{};  ///< why no message can be read at `begin`
};

/// An `incomplete_tail` is the incomplete message at the end of the archive, from `begin` to the end. It is a state,
/// not an error: either a writer is still at work, or the file was cut. It does not include the complete frames of a
/// streamed message.
struct incomplete_tail {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  failure cause{};  ///< the missing part; `expected` is the announced length, if any
};

/// A `progress` says how far the scan has come. All counts only grow.
struct progress {
  std::uint64_t scanned_bytes = 0;  ///< archive bytes whose messages, gaps and incomplete tail are known
  std::uint64_t total_bytes = 0;    ///< bytes of the archive
  std::uint64_t messages = 0;       ///< known messages, incomplete and version 1 ones included
  std::uint64_t gaps = 0;           ///< known gaps
  bool is_complete = false;         ///< the scan will find no more; true also if it stopped at damage
};

/// An `archive_part` is a part of an archive. Open it by its bytes: `{.offset = begin, .length = end - begin}`; if the
/// archive has an offset in its file, add that.
struct archive_part {
  std::uint64_t begin = 0, end = 0;  ///< archive bytes [begin, end)
  std::size_t first_message = 0;     ///< number of its first message in the whole archive
  std::size_t messages = 0;          ///< number of its messages

  bool operator==(const archive_part&) const noexcept = default;
};

}  // namespace v0
}  // namespace tgmap
