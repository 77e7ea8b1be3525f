// SPDX-License-Identifier: Apache-2.0
#include "archive/lookup/object_parts.hpp"

#include <algorithm>

#include "archive/archive_state.hpp"
#include "cbor/structure/descriptor.hpp"
#include "cbor/walk.hpp"
#include "io/read_buffer.hpp"
#include "wire/message_layout.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

failure check_listed_frame(const object_place& listed, const std::optional<wire::frame_header>& found,
                           const message_position& message) noexcept {
  const std::uint64_t offset = message.offset() + listed.offset;
  if (!found) return {.code = errc::not_a_frame, .offset = offset};
  if (!wire::is_object(found->type, message.version()))
    return {.code = errc::not_an_object, .offset = offset, .found = found->type};
  if (found->length != listed.length)
    return {.code = errc::index_length_mismatch, .offset = offset, .expected = listed.length, .found = found->length};
  return {};
}

namespace {

/// Returns the size up to which frames are read whole, which takes one read instead of one for each end.
std::uint64_t small_frame(const io::source& in) noexcept { return in.direct() ? 1024 : io::window::largest; }

/// Number of bytes before the end of a frame that hold most descriptors.
constexpr std::size_t descriptor_read_size = 512;

/// Reads the descriptor at the start of at most `max_bytes` bytes, and as little as possible of the payload after it.
std::span<const std::byte> read_leading_item(const io::source& in, io::read_buffer& scratch, std::uint64_t at,
                                             std::uint64_t max_bytes, failure& why) noexcept {
  for (std::uint64_t n = std::min<std::uint64_t>(max_bytes, descriptor_read_size);; n = std::min(max_bytes, n * 8)) {
    const auto bytes = scratch.bytes(in, at, n, why);
    if (why) return {};
    const std::byte* behind = cbor::skip(bytes.data(), bytes.data() + bytes.size());
    if (behind != nullptr) return {bytes.data(), behind};
    if (n == max_bytes) {
      why = {.code = errc::bad_cbor, .offset = at};
      return {};
    }
  }
}

/// Reads header, `ENDF` and descriptor offset and checks that they agree.
failure read_frame_ends(io::window& window, const message_position& message, const walk_range& range,
                        const object_place& place, object_parts& out) noexcept {
  const std::uint64_t begin = message.offset() + place.offset;
  failure why;
  if (place.length <= small_frame(window.in()) && wire::fits(place.offset, place.length, range.end)) {
    window.at(begin, static_cast<std::size_t>(place.length), why);
    if (why) return why;
  }
  // The walk checks the header and the end of the frame again: an index may be wrong, and bytes may change.
  frame_walk walk(window, range, walk_start::at(place.offset));
  frame_place frame;
  if (walk.next(frame, why) != walk_step::frame)
    return why ? why : failure{.code = errc::not_an_object, .offset = begin};
  const wire::frame_header& header = frame.header;
  if ((why = check_listed_frame(place, header, message))) return why;
  const std::size_t tail = wire::tail_size(header.type, message.version());
  const std::uint64_t body_end = wire::body_end(header.length, header.type, message.version());
  const auto last = window.at(begin + body_end, tail, why);
  if (why) return why;
  const auto descriptor = wire::load_be<std::uint64_t>(last, 0);
  if (!wire::is_descriptor_offset(descriptor, header.flags, body_end)) {
    const bool is_outside = descriptor < wire::frame_header_size || descriptor > body_end;
    return {.code = errc::bad_descriptor_offset,
            .offset = begin,
            .expected = is_outside ? body_end : wire::frame_header_size,
            .found = descriptor};
  }
  out.offset = place.offset;
  out.length = header.length;
  out.type = header.type;
  out.version = header.version;
  out.flags = header.flags;
  out.descriptor_offset = descriptor;
  out.descriptor_length = body_end - descriptor;  // an upper bound so far
  return {};
}

constexpr std::size_t object_read_size = 1024;

/// Returns the number of bytes to read before the end of a frame: those on the same page, because the page before may
/// hold nothing but payload.
std::uint64_t bytes_before_end(std::uint64_t end, std::uint64_t min_size) noexcept {
  return std::clamp<std::uint64_t>((end - 1) % io::page + 1, min_size, object_read_size);
}

/// Checks that a map has no key "masks", and that all keys are in one piece.
bool without_masks(std::span<const std::byte> descriptor) noexcept {
  const std::byte* at = descriptor.data();
  const std::byte* const end = at + descriptor.size();
  cbor::head map;
  if (!cbor::read_head(at, end, map) || map.major != cbor::major::map || map.indefinite()) return false;
  for (std::uint64_t left = map.argument; left > 0; --left) {
    const auto key = cbor::read_flat_text(at, end);
    if (!key || core::same_text(*key, "masks")) return false;
    at = cbor::skip(at, end);
    if (at == nullptr) return false;
  }
  return true;
}

}  // namespace

failure read_object_parts(const archive_state& state, io::window& window, const message_position& message,
                          const object_place& place, object_parts& out) noexcept {
  window.expect(locality_of(message, place.length));
  walk_range range = frames_of(state, message);
  range.ahead = 0;
  range.before_end = descriptor_read_size;
  if (failure why = read_frame_ends(window, message, range, place, out)) return why;
  const bool after_payload = (out.flags & wire::cbor_after_payload_flag) != 0;
  const std::uint64_t begin = message.offset() + place.offset + out.descriptor_offset;
  // The length comes from the file: limit it before reading.
  const std::uint64_t limit = state.options().max_metadata_bytes;
  if (after_payload && out.descriptor_length > limit)
    return {.code = errc::metadata_limit,
            .offset = message.offset() + place.offset,
            .expected = limit,
            .found = out.descriptor_length};

  io::read_buffer scratch;
  std::span<const std::byte> bytes;
  failure why;
  if (!after_payload) {
    bytes = read_leading_item(state.bytes(), scratch, begin, std::min(out.descriptor_length, limit), why);
    out.region_offset = out.descriptor_offset + bytes.size();
    out.region_length = out.descriptor_offset + out.descriptor_length - out.region_offset;
    out.descriptor_length = bytes.size();
  } else {
    bytes = out.descriptor_length <= descriptor_read_size
                ? window.at(begin, static_cast<std::size_t>(out.descriptor_length), why)
                : scratch.bytes(state.bytes(), begin, out.descriptor_length, why);
    out.region_offset = wire::frame_header_size;
    out.region_length = out.descriptor_offset - wire::frame_header_size;
  }
  if (why) return why;
  why = cbor::read_payload_length(bytes, out.region_length, out.payload_length);
  if (why) why.offset = begin;
  return why;
}

bool read_common_object(io::window& window, const message_position& message, const object_place& place,
                        object_parts& out) noexcept {
  // Mostly the first read holds this header, too.
  failure why;
  const auto header =
      wire::parse_frame_header(window.at(message.offset() + place.offset, wire::frame_header_size, why));
  return !why && header && read_common_tail(window, message, place, *header, out);
}

bool read_common_tail(io::window& window, const message_position& message, const object_place& place,
                      const wire::frame_header& found, object_parts& out) noexcept {
  const wire::frame_header* const header = &found;
  failure why;
  if (!wire::is_object(header->type, message.version()) || header->length != place.length ||
      (header->flags & wire::cbor_after_payload_flag) == 0)
    return false;
  const std::size_t tail_size = wire::tail_size(header->type, message.version());
  const std::uint64_t frame = message.offset() + place.offset,
                      body_end = wire::body_end(place.length, header->type, message.version());
  std::span<const std::byte> tail_bytes;
  const auto read_tail = [&](std::uint64_t from) {
    tail_bytes = window.at(frame + from, static_cast<std::size_t>(place.length - from), why);
    return !why;
  };
  std::uint64_t tail_begin = place.length - std::min(place.length, bytes_before_end(frame + place.length, tail_size));
  if (!read_tail(tail_begin) || !wire::frame_ends(tail_bytes, 0, tail_bytes.size())) return false;
  const auto descriptor = wire::load_be<std::uint64_t>(tail_bytes, tail_bytes.size() - tail_size);
  if (!wire::is_descriptor_offset(descriptor, header->flags, body_end) || place.length - descriptor > object_read_size)
    return false;
  if (descriptor < tail_begin && !read_tail(tail_begin = descriptor)) return false;
  if (!without_masks(tail_bytes.subspan(static_cast<std::size_t>(descriptor - tail_begin),
                                        static_cast<std::size_t>(body_end - descriptor))))
    return false;
  out = {.offset = place.offset,
         .length = place.length,
         .descriptor_offset = descriptor,
         .descriptor_length = body_end - descriptor,
         .region_offset = wire::frame_header_size,
         .region_length = descriptor - wire::frame_header_size,
         .payload_length = descriptor - wire::frame_header_size,
         .type = header->type,
         .version = header->version,
         .flags = header->flags};
  return true;
}

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
