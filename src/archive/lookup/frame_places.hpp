// SPDX-License-Identifier: Apache-2.0
// Places of objects whose frames are not read yet, and frames that were read whole.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "archive/archive_state.hpp"
#include "archive/lookup/object_parts.hpp"
#include "wire/frame.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

/// The place of an object whose frame was not read yet, but maybe its header.
struct located_frame {
  object_place place{};
  std::uint64_t objects = 0;  ///< of the message
  std::optional<wire::frame_header> header{};
};

/// Finds the place of object `j` if that takes at most one read of the archive: by an index file, by the header of the
/// message for its first object, or by a record in the cache. Returns false if not; then message::at decides.
bool locate_frame(const archive_state&, const message_position&, std::uint64_t j, located_frame&) noexcept;

/// Reads the ends of the frame, and adds the object to the cache. `window` then mostly has the descriptor. Errors:
/// those of message::at.
failure read_located_frame(const archive_state&, const message_position&, std::uint64_t j, const located_frame&,
                           io::window&, object_parts&) noexcept;

/// A frame that was read by one call.
struct whole_frame {
  std::array<std::byte, wire::frame_header_size> header;  // not initialised: written before it is read
  std::span<std::byte> rest{};                            ///< all bytes behind the header
};

/// Reads a frame into its header and into `frame.rest`, which has as many bytes as are behind it. Errors: those of
/// io::source::read.
failure read_whole_frame(const archive_state&, const message_position&, const object_place&, whole_frame&) noexcept;

/// Finds the parts in a frame that was read whole. Agrees with read_object_parts, or returns false; the caller then
/// uses that. located_object_test compares both.
bool parse_whole_frame(const open_options&, const message_position&, const object_place&, const whole_frame&,
                       object_parts&) noexcept;

/// Returns whether structure is read by system calls, or by requests of a byte_source.
bool reads_frame_by_calls(const archive_state&) noexcept;

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
