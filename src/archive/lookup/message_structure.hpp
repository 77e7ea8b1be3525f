// SPDX-License-Identifier: Apache-2.0
// Where the frames of one message lie that matter: objects, indexes, metadata. Specification §2.5–2.9, §3.1.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <tgmap/message.hpp>
#include <utility>
#include <vector>

#include "archive/lookup/frame_walk.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

class archive_state;

/// A data object; offsets count from the start of the message.
struct object_place {
  std::uint64_t at;
  std::uint64_t length;    ///< of its frame, as the index or the frame says
  std::uint64_t preceder;  ///< offset of its preceder frame; 0: none
};

/// What was learned of a message on the way to its objects.
struct message_structure {
  std::optional<frame_place> header_metadata, header_index, header_hashes;
  std::optional<frame_place> footer_metadata, footer_index, footer_hashes;
  std::uint64_t objects = 0;
  std::uint64_t walked = 0;  ///< frames passed one by one to learn this
  std::uint64_t preceders = 0;
  bool compared = true;  ///< false: frames behind the wanted object are where the index says, if it is right

  /// Records a metadata, index or hash frame; the last one of a kind wins, as in the reference.
  void note(const frame_place&) noexcept;

  /// Footer metadata is the complete one (§5.3).
  const std::optional<frame_place>& metadata() const noexcept {
    return footer_metadata ? footer_metadata : header_metadata;
  }
  const std::optional<frame_place>& hashes() const noexcept { return footer_hashes ? footer_hashes : header_hashes; }
};

/// Messages of at least this many objects have their places kept; smaller ones are read again in less time than a
/// look-up elsewhere in memory costs.
inline constexpr std::uint64_t cached_from = 17;

/// So are those whose few objects were found among this many frames, which would be passed again for each.
inline constexpr std::uint64_t cached_from_walked = 64;

/// The header frames of most messages with few objects fit into this many bytes.
inline constexpr std::size_t header_look = 512;

/// The range in which the frames of a message lie.
walk_range frames_of(const archive_state&, const message_position&) noexcept;

/// How a window looks at the structure of a message, and at a frame of it.
constexpr io::locality locality_of(const message_position& message) noexcept {
  constexpr std::uint64_t whole_on_its_pages = 16 << 10;  // mostly wanted with what lies around them
  if (message.length() <= whole_on_its_pages) return io::locality::clustered;
  // A stream is walked from frame to frame.
  return message.length() < io::far_apart || message.is_streamed() ? io::locality::scattered : io::locality::sparse;
}
constexpr io::locality locality_of(const message_position& message, std::uint64_t frame_length) noexcept {
  const bool among_others = message.length() >= io::far_apart && frame_length < io::far_apart;
  return among_others ? io::locality::scattered : locality_of(message);
}

/// Adds to a failure which message it is of, and which object.
failure located(failure, const message_position&, optional_index object = {}) noexcept;

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
