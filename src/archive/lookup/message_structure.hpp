// SPDX-License-Identifier: Apache-2.0
// The frames of a message that readers use: objects, indexes, metadata. Specification §2.5–2.9, §3.1.
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
  std::uint64_t offset;
  std::uint64_t length;    ///< of its frame, as stated by the index or the frame
  std::uint64_t preceder;  ///< offset of its preceder frame; 0: none
};

/// Describes the structure of a message. Complete once its objects were found.
struct message_structure {
  std::optional<frame_place> header_metadata, header_index, header_hashes;
  std::optional<frame_place> footer_metadata, footer_index, footer_hashes;
  std::uint64_t objects = 0;
  std::uint64_t walked = 0;  ///< number of frames that were walked
  std::uint64_t preceders = 0;
  bool compared = true;  ///< false: frames after the wanted object were not compared with the index

  /// Records a metadata, index or hash frame; the last one of a kind wins, as in the reference.
  void add_frame(const frame_place&) noexcept;

  /// Footer metadata is complete; header metadata may not be (§5.3).
  const std::optional<frame_place>& metadata() const noexcept {
    return footer_metadata ? footer_metadata : header_metadata;
  }
  const std::optional<frame_place>& hashes() const noexcept { return footer_hashes ? footer_hashes : header_hashes; }
};

/// Places are cached for messages of at least this many objects. Smaller messages are read again faster than a cache
/// miss takes.
inline constexpr std::uint64_t min_cached_objects = 17;

/// Places of fewer objects are cached, too, if at least this many frames were walked to find them.
inline constexpr std::uint64_t min_cached_frames = 64;

/// Number of bytes that hold the header frames of most messages with few objects.
inline constexpr std::size_t header_read_size = 512;

/// Returns the range of the frames of a message.
walk_range frames_of(const archive_state&, const message_position&) noexcept;

/// Returns the locality for reads of the structure of a message, or of one of its frames.
constexpr io::locality locality_of(const message_position& message) noexcept {
  constexpr std::uint64_t max_small_message = 16 << 10;  // mostly read together with the messages around
  if (message.length() <= max_small_message) return io::locality::clustered;
  // A stream is walked from frame to frame.
  return message.length() < io::far_apart || message.is_streamed() ? io::locality::scattered : io::locality::sparse;
}
constexpr io::locality locality_of(const message_position& message, std::uint64_t frame_length) noexcept {
  const bool among_others = message.length() >= io::far_apart && frame_length < io::far_apart;
  return among_others ? io::locality::scattered : locality_of(message);
}

/// Adds the message and the object to a failure.
failure with_location(failure, const message_position&, optional_index object = {}) noexcept;

/// Does the same. If the file lost bytes of the message, reports that instead of the damage that zeros in the rest of
/// the last page look like.
failure with_location(const archive_state&, failure, const message_position&, optional_index object = {}) noexcept;

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
