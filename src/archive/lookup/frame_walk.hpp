// SPDX-License-Identifier: Apache-2.0
// Walks from frame to frame by their lengths, specification §2.2–2.6 and §2.9. Reads no payload bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <tgmap/error.hpp>
#include <tgmap/frame.hpp>
#include <tgmap/options.hpp>

#include "io/window.hpp"
#include "wire/message_layout.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

/// The result of a step. `end` means the postamble, or the end of the range.
enum class walk_step : std::uint8_t { frame, end, damage };

/// Maximum padding that writers leave to align payloads. They align to at most 4,096 bytes.
inline constexpr std::uint64_t longest_alignment = 4095;

/// A frame found by the walk; offsets count from the start of the message.
struct frame_place {
  std::uint64_t offset = 0;
  std::uint64_t padding = 0;  ///< bytes between the end of the previous frame and `offset`
  wire::frame_header header{};
};

/// The range of a walk, from the start of a message.
struct walk_range {
  std::uint64_t message = 0;  ///< archive offset of the message
  std::uint64_t end = 0;      ///< upper bound of the end of the frames
  std::uint8_t version = 0;
  /// true: the frames end exactly at `end`; false: they end at a postamble, which is found by its magic
  bool end_known = true;
  std::uint64_t max_padding = 0;
  /// Padding must be zeros, at most `longest_alignment`, followed by a frame or the end. The bytes up to the next
  /// multiple of 8 may have any value, because no reader looks for a frame there.
  bool zeros_only = false;
  std::size_t ahead = 0;       ///< bytes worth reading with the header of the first frame
  std::size_t before_end = 0;  ///< bytes worth reading with the end of a frame
};

/// The start of a walk: the bytes before it decide which padding may follow.
struct walk_start {
  std::uint64_t end = 0;        ///< end of the bytes before the walk
  std::uint64_t next = 0;       ///< where the next frame is expected
  bool allows_padding = false;  ///< a frame came before

  /// Returns the start after the preamble, where a frame or the end must follow at once.
  static constexpr walk_start preamble() noexcept { return at(wire::preamble_size); }
  /// Returns the start at a frame or at the end.
  static constexpr walk_start at(std::uint64_t frame) noexcept { return {frame, frame, false}; }
  /// Returns the start after a frame.
  static constexpr walk_start after(std::uint64_t frame, std::uint64_t length) noexcept {
    return {frame + length, wire::next_frame(frame, length), true};
  }
};

/// Returns whether a failure says only that bytes could not be read, or kept, and so nothing about the message.
bool is_unreadable(const failure&) noexcept;

/// A `frame_walk` walks from frame to frame. For one thread. Complexity: O(1) a frame, O(max_padding) for padding.
class frame_walk {
 public:
  frame_walk(io::window& window, const walk_range& range, const walk_start& from) noexcept
      : window_(&window), range_(range), from_(from), at_(from.end) {}

  /// Steps to the next frame. Sets the failure on damage: a frame error (30 to 36), or an I/O error.
  walk_step next(frame_place& out, failure&) noexcept;

  /// Returns the frame that next() would step to, without reading its end; nothing at the end and on damage.
  std::optional<frame_place> peek(failure&) noexcept;

  /// Returns where the next frame or the postamble was found, or is searched.
  std::uint64_t position() const noexcept { return at_; }
  /// Returns the end of the last whole frame, `ENDF` included; before the first frame, where the walk began.
  std::uint64_t frames_end() const noexcept { return from_.end; }
  /// Returns the start for a walk that continues from here.
  const walk_start& resume_point() const noexcept { return from_; }
  /// Checks if any frame was found.
  bool has_frames() const noexcept { return has_frames_; }

 private:
  bool seek(std::uint64_t& padding, bool& end, failure&) noexcept;
  bool skip_zeros(bool& end, failure&) noexcept;
  bool read_frame_header(wire::frame_header& out, failure&) noexcept;
  bool has_message_in_padding(failure&) const noexcept;
  std::uint64_t skippable_bytes(failure&) const noexcept;
  bool is_postamble(std::span<const std::byte> bytes) const noexcept;
  failure fail(errc, std::uint64_t expected = 0, std::uint64_t found = 0) const noexcept;

  io::window* window_;
  walk_range range_;
  walk_start from_;
  std::uint64_t at_;
  bool has_frames_ = false;
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
