// SPDX-License-Identifier: Apache-2.0
// The objects of a message by its index frame, specification §3.1, checked against the frames around them.
#pragma once

#include <cstdint>
#include <optional>
#include <tgmap/error.hpp>

#include "archive/lookup/find_objects.hpp"
#include "archive/lookup/frame_walk.hpp"
#include "cbor/index_frame.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

/// Compares the frame header at a listed place with what the index says. Errors: not_a_frame, not_an_object,
/// index_length.
failure check_listed_frame(const object_place&, const std::optional<wire::frame_header>& found,
                           const message_position&) noexcept;

/// In messages of up to this many bytes the headers of all listed frames are compared, however many: 16 pages.
inline constexpr std::uint64_t short_message = 16 * io::page;

/// An index must tile the body of its message: objects in order, and between them nothing but zeros, preceders and
/// frames of unknown types. A length that is not the frame's could still cover a frame that the index omits. So the
/// headers of all listed frames are compared where that takes about 16 looks at most: of fewer than `cached_from`
/// objects, as far as the caller needs them, and in a short message. Of more objects the last one is, because footers
/// are found behind it; each of the others is compared when it is asked for.
class index_lookup {
 public:
  index_lookup(const archive_state& state, const message_position& message, io::window& window) noexcept
      : state_(&state), message_(message), window_(&window) {}

  /// False when the message has no index to go by: nothing was decided then. Else true, with the failure set when the
  /// index or the frames around the objects are not sound.
  bool find(message_structure&, object_sink&, failure&) noexcept;

 private:
  bool read_header(message_structure&, failure&) noexcept;
  bool read_footer(message_structure&) noexcept;
  failure follow(const frame_place& index, message_structure&, object_sink&) noexcept;
  failure header_at(std::uint64_t at, bool whole_page, std::optional<wire::frame_header>& out) noexcept;
  failure length_of(std::uint64_t at, std::uint64_t& length) noexcept;
  std::uint64_t met_before(std::uint64_t objects) const noexcept;
  failure compare(std::uint64_t object, const object_place&, bool whole_page) noexcept;
  failure check_end() noexcept;
  failure between(std::uint64_t to, bool last, std::uint64_t& preceder, message_structure&) noexcept;
  failure fail(errc, std::uint64_t at, std::uint64_t expected = 0, std::uint64_t found = 0) const noexcept;

  const archive_state* state_;
  message_position message_;
  io::window* window_;
  walk_start covered_ = walk_start::preamble();  ///< frames are accounted for up to here
  std::optional<frame_place> first_{};           ///< the first frame of the body
  object_place listed_{};                        ///< the last object that was taken from the index; no length: none yet
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
