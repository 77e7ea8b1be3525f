// SPDX-License-Identifier: Apache-2.0
#include "archive/lookup/frame_places.hpp"

#include <optional>

#include "archive/lookup/common_message.hpp"
#include "cbor/structure/descriptor.hpp"
#include "io/window.hpp"
#include "wire/message_layout.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

bool locate_frame(const archive_state& state, const message_position& message, std::uint64_t j,
                  located_frame& out) noexcept {
  if (state.options().lookup == object_lookup::index &&
      state.scan().listed().find_object(message, j, out.place, out.objects) &&
      wire::fits(out.place.offset, out.place.length, frames_of(state, message).end))
    return true;
  if (const auto* known = state.objects().find(message); known != nullptr && known->structure) {
    if (j >= known->objects.size()) return false;
    out = {.place = known->place(static_cast<std::size_t>(j)), .objects = known->structure->objects};
    return true;
  }
  if (j != 0) return false;
  io::window window(state.bytes(), locality_of(message));
  common_header header;
  if (!read_common_header(state, window, message, max_whole_message, 0, header)) return false;
  out = {.place = header.places[0], .objects = header.objects};
  const std::uint64_t frame = message.offset() + out.place.offset;
  failure unread;
  if (!window.holds(frame, wire::frame_header_size)) return true;
  out.header = wire::parse_frame_header(window.at(frame, wire::frame_header_size, unread));
  return !check_listed_frame(out.place, out.header, message);
}

failure read_located_frame(const archive_state& state, const message_position& message, std::uint64_t j,
                           const located_frame& frame, io::window& window, object_parts& out) noexcept {
  const bool is_common = frame.header && read_common_tail(window, message, frame.place, *frame.header, out);
  failure why;
  if (!is_common) why = read_object_parts(state, window, message, frame.place, out);
  if (why) return with_location(state, why, message, j);
  state.objects().add(message, j, frame.objects, out);
  return {};
}

failure read_whole_frame(const archive_state& state, const message_position& message, const object_place& place,
                         whole_frame& out) noexcept {
  return state.bytes().read(message.offset() + place.offset,
                            std::array<std::span<std::byte>, 2>{std::span<std::byte>(out.header), out.rest});
}

bool parse_whole_frame(const open_options& options, const message_position& message, const object_place& place,
                       const whole_frame& frame, object_parts& out) noexcept {
  const auto header = wire::parse_frame_header(frame.header);
  if (check_listed_frame(place, header, message) ||
      place.length < wire::min_frame_size(header->type, message.version()) ||
      frame.rest.size() != place.length - wire::frame_header_size ||
      (header->flags & wire::cbor_after_payload_flag) == 0)
    return false;
  const std::size_t tail_size = wire::tail_size(header->type, message.version());
  const auto tail = frame.rest.last(tail_size);
  if (!wire::frame_ends(tail, 0, tail.size())) return false;
  const std::uint64_t body_end = wire::body_end(place.length, header->type, message.version());
  const auto descriptor = wire::load_be<std::uint64_t>(tail, 0);
  if (!wire::is_descriptor_offset(descriptor, header->flags, body_end) ||
      body_end - descriptor > options.max_metadata_bytes)
    return false;
  out = {.offset = place.offset,
         .length = place.length,
         .descriptor_offset = descriptor,
         .descriptor_length = body_end - descriptor,
         .region_offset = wire::frame_header_size,
         .region_length = descriptor - wire::frame_header_size,
         .type = header->type,
         .version = header->version,
         .flags = header->flags};
  const auto bytes = frame.rest.subspan(static_cast<std::size_t>(descriptor) - wire::frame_header_size,
                                        static_cast<std::size_t>(body_end - descriptor));
  return !cbor::read_payload_length(bytes, out.region_length, out.payload_length);
}

bool reads_frame_by_calls(const archive_state& state) noexcept { return state.bytes().reads_by_calls(0); }

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
