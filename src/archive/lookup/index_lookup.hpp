// SPDX-License-Identifier: Apache-2.0
// Finds the objects of a message by its index frame, specification §3.1, and checks the index against the frames. Bar:
// `first_of_many/*` in docs/cost.md, where the walk reads every frame; one_answer_test compares it with the walk.
#pragma once

#include <cstdint>
#include <optional>
#include <tgmap/error.hpp>

#include "archive/lookup/find_objects.hpp"
#include "archive/lookup/frame_walk.hpp"
#include "archive/lookup/object_parts.hpp"
#include "cbor/structure/index_frame.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

/// In messages up to this size (16 pages) the headers of all listed frames are compared, whatever their number.
inline constexpr std::uint64_t short_message = 16 * io::page;

/// An `index_lookup` reads and checks the index of one message. The index must cover the body of its message: objects
/// in order, with only zeros, preceders and frames of unknown types between them.
///
/// A wrong length could cover a frame that the index omits. Therefore the index is compared with the headers of the
/// listed frames. All headers are compared if that takes about 16 reads: for fewer than `min_cached_objects` objects,
/// as far as the caller needs them, and in short messages. Otherwise the last object is compared, because footers are
/// found after it; each other object is compared when it is accessed.
class index_lookup {
 public:
  index_lookup(const archive_state& state, const message_position& message, io::window& window) noexcept
      : state_(&state), message_(message), window_(&window) {}

  /// Returns false if the message has no usable index. Otherwise returns true, and sets the failure if the index
  /// contradicts itself or the frames.
  bool find(message_structure&, object_sink&, failure&) noexcept;

 private:
  bool read_header(message_structure&, failure&) noexcept;
  bool read_footer(message_structure&, failure&) noexcept;
  failure read_index(const frame_place& index, message_structure&, object_sink&) noexcept;
  failure read_frame_header(std::uint64_t at, bool whole_page, std::optional<wire::frame_header>& out) noexcept;
  failure read_length(std::uint64_t at, std::uint64_t& length) noexcept;
  std::uint64_t compared_before(std::uint64_t objects) const noexcept;
  failure compare(std::uint64_t object, const object_place&, bool whole_page) noexcept;
  failure check_end_marker() noexcept;
  failure check_gap(std::uint64_t to, bool last, std::uint64_t& preceder, message_structure&) noexcept;
  failure fail(errc, std::uint64_t at, std::uint64_t expected = 0, std::uint64_t found = 0) const noexcept;

  const archive_state* state_;
  message_position message_;
  io::window* window_;
  walk_start covered_ = walk_start::preamble();  ///< end of the frames checked so far
  std::optional<frame_place> first_{};           ///< the first frame of the body
  object_place listed_{};                        ///< the last object taken from the index; length 0: none yet
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
