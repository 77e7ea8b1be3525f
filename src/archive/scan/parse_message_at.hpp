// SPDX-License-Identifier: Apache-2.0
// Is there a message at this offset? Specification §0.2, §2.9, §2.10.
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
  whole,       ///< preamble, stated_size end and postamble agree; or a stream whose frames lead to its postamble
  incomplete,  ///< a stream with whole frames, but without its postamble
  cut_off,     ///< may be a message whose rest is missing at the end of the archive
  none,        ///< no message
};

struct parsed_message {
  message_status status = message_status::none;
  message_position message{};  ///< of a whole or incomplete one; its number is not known
  failure why{};               ///< unless whole
  std::uint64_t frames = 0;    ///< passed in a stream
  bool unreadable = false;     ///< bytes could not be read: `why` is an I/O error, nothing is known
};

/// Looks at preamble and end of the message at `offset`; walks the frames of a stream. O(1), streams: O(frames).
parsed_message parse_message_at(io::window&, std::uint64_t offset, const open_options&) noexcept;

/// The sound version 3 message with a length that ends at `end`, by its postamble. Nothing else is looked at.
parsed_message parse_message_ending_at(io::window&, std::uint64_t end) noexcept;

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
