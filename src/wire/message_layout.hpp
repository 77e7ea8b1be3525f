// SPDX-License-Identifier: Apache-2.0
// Layout of a message: where its parts are, and the conditions that every reader checks. Specification §2.
//
//   versions 2 and 3
//     0             preamble: magic, version, flags, length; a length of 0: streamed, found by its frames
//     24            frames: header phase, body phase, footer phase; see phase_of()
//     frames_end()  postamble: offset of the first footer, in version 3 the length or 0, magic
//
//   version 1: the first 24 bytes state the length, the last 8 are the magic of a postamble; the rest is not read
//
//   a frame of `length` bytes
//     0             header: magic, type, frame version, flags, length
//     16            body; in data objects the payload region, then the descriptor, or the other way round
//     body_end()    tail: of data objects the offset of the descriptor, in version 3 the hash, magic
//     next_frame()  the next frame, or any bytes before it, in which readers search
//
// parse_message_at and frame_walk of src/archive decide what is a message and a frame, and check_structure of
// src/validate says what is wrong. Readers that are faster for some messages agree with them or leave the message to
// them; each names its bar and its test.
#pragma once

#include <cstdint>

#include "wire/frame.hpp"
#include "wire/postamble.hpp"
#include "wire/preamble.hpp"

namespace tgmap::wire {

/// Returns true if messages of this version consist of frames. Others are found, but not read.
[[nodiscard]] constexpr bool has_frames(unsigned version) noexcept { return version == 2 || version == 3; }

/// Returns the smallest size of a whole message.
[[nodiscard]] constexpr std::uint64_t min_message_size(unsigned version) noexcept {
  return version == 2 ? 40 : 48;  // preamble and postamble; version 1: header and end magic
}

/// Returns true if a message that states this length can be in `left` bytes.
[[nodiscard]] constexpr bool is_message_length(std::uint64_t length, unsigned version, std::uint64_t left) noexcept {
  return length >= min_message_size(version) && length <= left;
}

/// Returns the end of the frames of a whole message, where its postamble begins. From the start of the message.
[[nodiscard]] constexpr std::uint64_t frames_end(std::uint64_t message_length, unsigned version) noexcept {
  return message_length - postamble_size(version);
}

/// Returns true if a postamble states the length of its message, or none: 0, as in streams and in version 2.
[[nodiscard]] constexpr bool agrees_with_length(std::uint64_t stated, std::uint64_t message_length) noexcept {
  return stated == 0 || stated == message_length;
}

/// Returns true if footers can begin at this offset. Without footers that is the end of the frames.
[[nodiscard]] constexpr bool is_footer_offset(std::uint64_t offset, std::uint64_t frames_end) noexcept {
  return offset >= preamble_size && offset <= frames_end;
}

/// Returns true if a frame that states this length can be in `left` bytes.
[[nodiscard]] constexpr bool is_frame_length(std::uint64_t length, std::uint16_t type, unsigned version,
                                             std::uint64_t left) noexcept {
  return length >= min_frame_size(type, version) && length <= left;
}

/// Returns the end of the body of a frame, where its tail begins. From the start of the frame.
[[nodiscard]] constexpr std::uint64_t body_end(std::uint64_t frame_length, std::uint16_t type,
                                               unsigned version) noexcept {
  return frame_length - tail_size(type, version);
}

/// Returns the size of the body of a frame, which is at least `min_frame_size` long.
[[nodiscard]] constexpr std::uint64_t body_size(std::uint64_t frame_length, std::uint16_t type,
                                                unsigned version) noexcept {
  return frame_length - min_frame_size(type, version);
}

/// Returns where the next frame is expected. As in the reference implementation, frames are aligned from the start of
/// the frame before. After junk, that differs from the alignment in the message.
[[nodiscard]] constexpr std::uint64_t next_frame(std::uint64_t frame, std::uint64_t length) noexcept {
  return frame + align8(length);
}

/// Returns true if the descriptor of a data object can begin at this offset from the start of its frame. No hash covers
/// the flag: if it flips, the payload must not be lost. So a descriptor that comes first must be at the start.
[[nodiscard]] constexpr bool is_descriptor_offset(std::uint64_t offset, std::uint16_t frame_flags,
                                                  std::uint64_t body_end) noexcept {
  const bool is_last = (frame_flags & cbor_after_payload_flag) != 0;
  return offset >= frame_header_size && offset <= body_end && (is_last || offset == frame_header_size);
}

/// A `frame_order` knows which frames may follow (§2.8): phases do not go back, and a data object follows each
/// preceder. Readers of messages skip frames of unknown types, and do not add them.
class frame_order {
 public:
  [[nodiscard]] constexpr bool goes_back(phase next) const noexcept { return next < reached_; }
  /// Returns true if a preceder came last, and this is no data object.
  [[nodiscard]] constexpr bool lacks_object(std::uint16_t type, unsigned version) const noexcept {
    return after_preceder_ && !is_object(type, version);
  }
  constexpr void add(std::uint16_t type, phase next) noexcept {
    if (next != phase::unknown && next > reached_) reached_ = next;
    after_preceder_ = type == preceder_frame;
  }

  [[nodiscard]] constexpr phase reached() const noexcept { return reached_; }
  [[nodiscard]] constexpr bool is_after_preceder() const noexcept { return after_preceder_; }

 private:
  phase reached_ = phase::header;
  bool after_preceder_ = false;
};

}  // namespace tgmap::wire
