// SPDX-License-Identifier: Apache-2.0
// The parts of an object's frame: payload, masks and descriptor. Specification §2.7.
#pragma once

#include <cstdint>
#include <optional>
#include <tgmap/frame.hpp>

#include "archive/lookup/message_structure.hpp"
#include "io/window.hpp"
#include "wire/frame.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

struct element_layout;

/// The parts of an object. `offset` counts from the start of the message, the other offsets from the start of the
/// frame. All parts are within the frame, and the frame is within its message.
struct object_parts {
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  std::uint64_t descriptor_offset = 0;
  std::uint64_t descriptor_length = 0;
  std::uint64_t region_offset = 0;  ///< payload and masks
  std::uint64_t region_length = 0;
  std::uint64_t payload_length = 0;
  std::uint16_t type = 0, version = 0, flags = 0;  ///< of the frame
  const element_layout* elements = nullptr;        ///< of an object that was viewed before; otherwise null

  bool operator==(const object_parts&) const noexcept = default;
};

/// Computes all parts of an object from these numbers.
inline object_parts make_object_parts(std::uint64_t offset, std::uint64_t length, std::uint64_t descriptor_length,
                                      std::uint64_t payload_length, std::uint64_t bits) noexcept {
  // Has few branches, because each access to a cached object runs it.
  constexpr auto short_tail = wire::tail_size(wire::object_frame, 2),
                 long_tail = wire::tail_size(wire::object_frame, 3);
  const std::uint64_t old = bits >> 4 & 1, hashed = bits >> 5 & 1;
  const std::uint64_t end = length - (short_tail + hashed * (long_tail - short_tail));
  const bool after = (bits & wire::cbor_after_payload_flag) != 0;
  const std::uint64_t descriptor_offset = after ? end - descriptor_length : wire::frame_header_size,
                      region_offset = wire::frame_header_size + (after ? 0 : descriptor_length);
  return {.offset = offset,
          .length = length,
          .descriptor_offset = descriptor_offset,
          .descriptor_length = descriptor_length,
          .region_offset = region_offset,
          .region_length = (after ? descriptor_offset : end) - region_offset,
          .payload_length = payload_length,
          .type = static_cast<std::uint16_t>(wire::object_frame - old * (wire::object_frame - wire::old_object_frame)),
          .version = 1,
          .flags = static_cast<std::uint16_t>(bits & 15)};
}

/// Packs flags, type and tail of a frame into six bits. Returns nothing unless all parts follow from them and from the
/// four numbers that make_object_parts() takes.
inline std::optional<std::uint64_t> packed_flags(const object_parts& parts) noexcept {
  const std::uint64_t old = parts.type == wire::old_object_frame ? 1 : 0;
  const std::uint64_t end = (parts.flags & wire::cbor_after_payload_flag) != 0
                                ? parts.descriptor_offset + parts.descriptor_length
                                : parts.region_offset + parts.region_length;
  const std::uint64_t hashed = parts.length - end == wire::tail_size(wire::object_frame, 3) ? 1 : 0;
  const std::uint64_t bits = hashed << 5 | old << 4 | (parts.flags & 15u);
  const bool is_all =
      make_object_parts(parts.offset, parts.length, parts.descriptor_length, parts.payload_length, bits) == parts;
  return is_all ? std::optional(bits) : std::nullopt;
}

/// Compares a listed object with the frame header found at its place. Errors: not_a_frame, not_an_object,
/// index_length_mismatch.
failure check_listed_frame(const object_place&, const std::optional<wire::frame_header>& found,
                           const message_position&) noexcept;

/// Reads both ends of the frame, and the masks in its descriptor. Allocates only for descriptors beyond 4 KiB.
/// Errors: see message::operator[]. Complexity: O(bytes of the descriptor).
failure read_object_parts(const archive_state&, io::window&, const message_position&, const object_place&,
                          object_parts&) noexcept;

/// Reads an object that a header lists, with a descriptor without masks after the payload. Fast path for common
/// messages (common_message.hpp): agrees with read_object_parts, or returns false; common_message_test compares both.
bool read_common_object(io::window&, const message_position&, const object_place&, object_parts&) noexcept;

/// Does the same if the header of the frame is known. The window then has the descriptor.
bool read_common_tail(io::window&, const message_position&, const object_place&, const wire::frame_header&,
                      object_parts&) noexcept;

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
