// SPDX-License-Identifier: Apache-2.0
// Decides if a message begins at an offset. Specification §0.2, §2.9, §2.10.
#pragma once

#include <cstdint>
#include <tgmap/error.hpp>
#include <tgmap/frame.hpp>
#include <tgmap/options.hpp>

#include "io/window.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

enum class message_status : std::uint8_t {
  whole,       ///< preamble, stated end and postamble agree; or a stream whose frames lead to its postamble
  incomplete,  ///< a stream with whole frames, but without its postamble
  cut_off,     ///< maybe a message whose end is beyond the end of the archive
  none,        ///< no message
};

/// A `parsed_message` is the result of parsing at one offset.
struct parsed_message {
  message_status status = message_status::none;
  message_position message{};  ///< of a whole or incomplete message; its number is not known
  failure why{};               ///< unless whole
  std::uint64_t frames = 0;    ///< number of frames, for a stream
  bool unreadable = false;     ///< an I/O error, in `why`; the status has no meaning
};

/// Reads the preamble and the end of the message at `offset`; walks the frames of a stream. Complexity: O(1), for
/// streams O(frames).
parsed_message parse_message_at(io::window&, std::uint64_t offset, const open_options&) noexcept;

/// Returns the message of version 3 with a stated length that ends at `end`, found by its postamble. Bar: `from_end/*`
/// in docs/cost.md, without a scan; from_end_test compares it with a scan. Complexity: O(1).
parsed_message parse_message_ending_at(io::window&, std::uint64_t end) noexcept;

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
