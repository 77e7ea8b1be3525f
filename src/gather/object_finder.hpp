// SPDX-License-Identifier: Apache-2.0
// Finds objects by the offsets of their messages with few reads, and keeps what was read.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <tgmap/object.hpp>

#include "archive/archive_state.hpp"
#include "archive/lookup/common_message.hpp"
#include "archive/lookup/message_record.hpp"
#include "core/memory.hpp"

namespace tgmap::gather {

/// Which object is wanted, and how much of it is read at once.
struct wanted_object {
  std::uint64_t message_offset = 0;
  std::uint64_t object = 0;
  std::uint64_t max_whole = 0;  ///< frames up to this length are read whole

  /// Where the payload is put if it has exactly this size and comes before the descriptor. Empty: nowhere.
  std::span<std::byte> output{};
};

/// A `found_object` is an object, and copies of what was read. They are valid until the next call.
struct found_object {
  object handle{};
  std::span<const std::byte> descriptor{};  ///< empty: it was not read in one piece
  std::span<const std::byte> region{};      ///< payload and masks, if the frame was read whole; else no data
  bool is_in_output = false;                ///< the output has the payload
};

/// An `object_finder` reads the header of a message at once, and the frame of an object at once. If the message before
/// had the object near its beginning, it reads both at once, and then looks where the object is: messages of an archive
/// are alike, but for some bytes in their headers and the sizes of compressed payloads.
///
/// Agrees with archive::at_offset and message::at, but that the end of the message and the objects of its index that
/// are not wanted are compared only where that takes no further read. For one thread.
class object_finder {
 public:
  /// Errors: those of archive::at_offset and message::at.
  failure find(const detail::archive_state&, const wanted_object&, found_object&) noexcept;

  /// Reads the next objects, which find() is then called for in this order, into their outputs by one call, if they are
  /// alike. Returns their number, 0 if they are not.
  std::size_t read_ahead(const detail::archive_state&, std::span<const wanted_object> next) noexcept;

  static constexpr std::size_t max_ahead = 16;  ///< objects that are read at once

 private:
  /// Copies of a frame: its header, and its end from `tail_begin` on. If it was read whole, the end is all of it.
  struct frame_bytes {
    std::span<const std::byte> header{};
    std::span<const std::byte> tail{};
    std::uint64_t tail_begin = 0;
    bool is_in_output = false;
  };

  failure open_message(const wanted_object&, frame_bytes&) noexcept;
  bool expects(const wanted_object&) noexcept;
  failure read_expected(const wanted_object&, frame_bytes&) noexcept;
  failure read_into_output(const wanted_object&, frame_bytes&) noexcept;
  bool move_payload(const detail::object_place&, std::span<std::byte> output, std::size_t tail, frame_bytes&) noexcept;
  bool parse_header(std::uint64_t offset) noexcept;
  failure find_by_frames(std::uint64_t offset) noexcept;
  failure place_of(std::uint64_t object, detail::object_place&) const noexcept;
  failure read_frame(const detail::object_place&, const wanted_object&, frame_bytes&) noexcept;
  failure parse_frame(const detail::object_place&, const frame_bytes&, std::uint64_t object, found_object&) noexcept;
  failure read_parts(const detail::object_place&, std::uint64_t object, found_object&) noexcept;

  const detail::archive_state* state_ = nullptr;
  message_position message_{};
  bool is_open_ = false;  ///< `message_` and its objects are known

  // The objects of the message: those of a common header, or all that were found.
  detail::common_header header_{};
  std::unique_ptr<detail::message_record> record_{};
  std::uint64_t objects_ = 0;

  // Where the last object was that a header listed.
  std::uint64_t expected_object_ = 0;
  detail::object_place expected_{};  ///< length 0: not known
  std::size_t header_size_;          ///< bytes that held all headers so far
  bool is_payload_first_ = true;     ///< in the last frame the descriptor came after the payload
  unsigned misses_ = 0;              ///< messages in a row whose objects were elsewhere

  core::scratch head_{}, body_{}, descriptor_{};
  std::span<const std::byte> head_bytes_{};  ///< of the message, from its beginning
  std::array<std::byte, wire::frame_header_size> frame_header_{};
  /// A message of which header and payload were read ahead.
  struct read_message {
    std::uint64_t message_offset = 0;
    const std::byte* output = nullptr;
    std::span<const std::byte> head{};  ///< up to the payload
    std::span<const std::byte> tail{};  ///< behind the payload
  };
  static constexpr std::uint64_t max_between = 4096;  ///< bytes between two payloads that are read at once
  std::array<read_message, max_ahead> ahead_;
  std::size_t ahead_count_ = 0, ahead_next_ = 0;
  detail::object_place ahead_place_{};  ///< where they were expected
  core::scratch between_{};

  static constexpr std::size_t slack = 256, max_around = 2048;
  std::array<std::byte, slack + max_around + slack> tail_;

 public:
  object_finder() noexcept;
};

}  // namespace tgmap::gather
