// SPDX-License-Identifier: Apache-2.0
// The objects of a message by its index frame, specification §3.1, checked against the frames around them.
#pragma once

#include <cstdint>
#include <tgmap/error.hpp>

#include "archive/frame_walk.hpp"
#include "archive/layout.hpp"
#include "cbor/index_frame.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

/// Remembers a metadata, index or hash frame; the last one of a kind wins, as in the reference.
void note(const frame_place&, message_structure&) noexcept;

/// An index must tile the body of its message: objects in order, and between them nothing but preceders and frames of
/// unknown types. That proves, without touching an object, that none is omitted.
class index_route {
 public:
  index_route(const archive_state& state, const message_position& message, io::window& window) noexcept
      : state_(&state), message_(message), window_(&window) {}

  /// False when the message has no index to go by: nothing was decided then. Else true, with the failure set when the
  /// index or the frames around the objects are not sound.
  bool find(message_structure&, object_sink&, failure&) noexcept;

 private:
  bool read_header(message_structure&, failure&) noexcept;
  bool read_footer(message_structure&) noexcept;
  failure follow(const frame_place& index, message_structure&, object_sink&) noexcept;
  failure length_of(std::uint64_t at, std::uint64_t& length) noexcept;
  failure between(std::uint64_t to, bool last, std::uint64_t& preceder, message_structure&) noexcept;
  failure fail(errc, std::uint64_t at, std::uint64_t expected = 0, std::uint64_t found = 0) const noexcept;

  const archive_state* state_;
  message_position message_;
  io::window* window_;
  walk_start covered_ = walk_start::preamble();  ///< frames are accounted for up to here
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
