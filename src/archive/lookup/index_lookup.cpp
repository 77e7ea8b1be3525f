// SPDX-License-Identifier: Apache-2.0
#include "archive/lookup/index_lookup.hpp"

#include <array>

#include "archive/archive_state.hpp"
#include "io/read_buffer.hpp"
#include "wire/message_layout.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

namespace {

/// Number of bytes before a postamble that hold most footers.
constexpr std::size_t footer_read_size = 1024;

}  // namespace

failure index_lookup::fail(errc code, std::uint64_t at, std::uint64_t expected, std::uint64_t found) const noexcept {
  return {.code = code, .offset = message_.offset() + at, .expected = expected, .found = found};
}

/// Reads the header frames, up to the first frame of the body. Returns true if an index is among them.
bool index_lookup::read_header(message_structure& structure, failure& why) noexcept {
  frame_walk walk(*window_, frames_of(*state_, message_), covered_);
  frame_place place;
  // The first frame of the body is not walked, because its end is far away.
  while ((first_ = walk.peek(why)) && wire::phase_of(first_->header.type, message_.version()) == wire::phase::header) {
    if (walk.next(place, why) != walk_step::frame) break;
    structure.add_frame(place);
    ++structure.walked;
    covered_ = walk.resume_point();
  }
  return !why && structure.header_index.has_value();
}

/// Reads the footer index, which the postamble points to. Other footers are checked by read_index(). Stores in `why`
/// only that bytes could not be read: a wrong postamble leaves the answer to the walk.
bool index_lookup::read_footer(message_structure& structure, failure& why) noexcept {
  const walk_range range = frames_of(*state_, message_);
  // The footers are directly before the postamble, and the end of the last object before them.
  const auto bytes = window_->at(message_.offset() + range.end, wire::postamble_size(message_.version()), why,
                                 {.before = footer_read_size});
  if (why) return false;
  const auto postamble = wire::parse_postamble(bytes, message_.version());
  if (!postamble || postamble->first_footer_offset < covered_.end || postamble->first_footer_offset >= range.end)
    return false;
  frame_walk walk(*window_, range, walk_start::at(postamble->first_footer_offset));
  frame_place place;
  walk_step step{};
  message_structure footers;
  while ((step = walk.next(place, why)) == walk_step::frame) footers.add_frame(place);
  if (!is_unreadable(why)) why = {};
  structure.footer_index = footers.footer_index;
  return step == walk_step::end && structure.footer_index.has_value();
}

/// Reads the frame header at `at`, if there is one. `whole_page`: also reads the rest of its page.
failure index_lookup::read_frame_header(std::uint64_t at, bool whole_page,
                                        std::optional<wire::frame_header>& out) noexcept {
  failure why;
  if (first_ && first_->offset == at) {
    out = first_->header;
  } else if (whole_page) {
    const auto bytes =
        window_->at(message_.offset() + at, wire::frame_header_size, why, {.after = io::window::largest});
    if (!why) out = wire::parse_frame_header(bytes);
  } else {
    std::array<std::byte, wire::frame_header_size> bytes;
    why = window_->copy(message_.offset() + at, bytes);  // keeps the footers in the window
    if (!why) out = wire::parse_frame_header(bytes);
  }
  return why;
}

/// Reads the length of the object frame at `at` from the frame.
failure index_lookup::read_length(std::uint64_t at, std::uint64_t& length) noexcept {
  const std::uint64_t end = frames_of(*state_, message_).end;
  if (!wire::fits(at, wire::frame_header_size, end)) return fail(errc::bad_index_offset, 0, covered_.end, at);
  std::optional<wire::frame_header> header;
  if (failure why = read_frame_header(at, false, header)) return why;
  if (!header) return fail(errc::not_a_frame, at);
  if (!wire::is_object(header->type, message_.version())) return fail(errc::not_an_object, at, 0, header->type);
  length = header->length;
  return {};
}

/// Returns how many objects were compared before. An object is only cached after all objects before it were compared.
std::uint64_t index_lookup::compared_before(std::uint64_t objects) const noexcept {
  object_parts cached;
  while (objects > 0 && !state_->objects().find(message_, objects - 1, cached)) --objects;
  return objects;
}

/// Compares a listed frame, which is within the message, with its header.
failure index_lookup::compare(std::uint64_t object, const object_place& listed, bool whole_page) noexcept {
  std::optional<wire::frame_header> header;
  failure why = read_frame_header(listed.offset, whole_page, header);
  if (!why) why = check_listed_frame(listed, header, message_);
  if (why) why.object = object;
  return why;
}

/// Checks the end marker of the object listed last, before anything after it is read.
failure index_lookup::check_end_marker() noexcept {
  constexpr std::size_t size = wire::frame_end_magic.size();
  failure why;
  const auto end = window_->at(message_.offset() + covered_.end - size, size, why, {.after = io::window::largest});
  if (!why && !wire::starts_with(end, 0, wire::frame_end_magic))
    why = fail(errc::missing_frame_end, listed_.offset, listed_.length);
  return why;
}

/// Checks that no object is between the checked frames and `to`. `last`: the gap is after the last object, where
/// footers may be.
failure index_lookup::check_gap(std::uint64_t to, bool last, std::uint64_t& preceder,
                                message_structure& structure) noexcept {
  failure why;
  if (listed_.length != 0 && covered_.next < to)
    if ((why = check_end_marker())) return why;
  walk_range range = frames_of(*state_, message_);
  range.end = to;
  range.zeros_only = true;
  frame_walk walk(*window_, range, covered_);
  frame_place place;
  walk_step step{};
  while ((step = walk.next(place, why)) == walk_step::frame) {
    const std::uint16_t type = place.header.type;
    const wire::phase phase = wire::phase_of(type, message_.version());
    ++structure.walked;
    if (phase == wire::phase::unknown) continue;
    if (wire::is_object(type, message_.version())) return fail(errc::index_incomplete, place.offset, 0, place.offset);
    if (phase != wire::phase::body && !(last && phase == wire::phase::footer))
      return fail(errc::frame_out_of_order, place.offset, static_cast<std::uint64_t>(wire::phase::body), type);
    if (preceder != 0) return fail(errc::orphan_preceder, preceder);
    if (type == wire::preceder_frame) preceder = place.offset;
    structure.add_frame(place);
  }
  if (step == walk_step::damage) return why;
  if (last && preceder != 0) return fail(errc::orphan_preceder, preceder);
  // No reader looks for a frame before the next multiple of 8.
  if (!last && walk.resume_point().next > to) return fail(errc::bad_index_offset, to, walk.resume_point().next, to);
  return {};
}

failure index_lookup::read_index(const frame_place& index, message_structure& structure, object_sink& sink) noexcept {
  const std::uint64_t body = wire::body_size(index.header.length, index.header.type, message_.version());
  const std::uint64_t begin = message_.offset() + index.offset + wire::frame_header_size;
  const auto& options = state_->options();
  if (body > options.max_metadata_bytes)
    return fail(errc::metadata_limit, index.offset, options.max_metadata_bytes, body);
  failure why;
  io::read_buffer scratch;
  const auto bytes = scratch.bytes(*window_, begin, body, why);
  if (why) return why;
  cbor::index_view view;
  if ((why = cbor::read_index(bytes, view))) {
    why.offset = message_.offset() + index.offset;
    return why;
  }
  if (view.count > options.max_objects) return fail(errc::object_limit, index.offset, options.max_objects, view.count);

  // Early streams of version 2 list the lengths of payloads (§3.1). Their frames state the lengths of frames.
  const bool lengths_of_frames = view.lengths.valid() && !(message_.version() == 2 && message_.is_streamed());
  const std::uint64_t end = frames_of(*state_, message_).end;
  const std::uint64_t min_length = wire::min_frame_size(wire::object_frame, message_.version());
  const bool is_short = message_.length() <= short_message, few = view.count < min_cached_objects;
  const std::uint64_t already_compared = few && !is_short ? compared_before(view.count) : 0;
  if (view.count <= end / min_length) sink.expect(view.count);
  object_place place;
  for (std::uint64_t object = 0, listed = 0; view.offsets.next(place.offset); ++object) {
    if (place.offset < covered_.end) return fail(errc::bad_index_offset, index.offset, covered_.end, place.offset);
    place.preceder = 0;
    if (place.offset > end) return fail(errc::bad_index_offset, index.offset, covered_.end, place.offset);
    if (place.offset != covered_.next)
      if ((why = check_gap(place.offset, false, place.preceder, structure))) return why;
    if (view.lengths.valid() && !view.lengths.next(listed)) return fail(errc::bad_index, index.offset);
    if (lengths_of_frames)
      place.length = listed;
    else if ((why = read_length(place.offset, place.length)))
      return why;
    // With lengths below that of a frame, an index could list the same object again and again.
    if (place.length < min_length) return fail(errc::frame_too_short, place.offset, min_length, place.length);
    if (!wire::fits(place.offset, place.length, end))
      return fail(errc::bad_index_offset, index.offset, covered_.end, place.offset);
    covered_ = walk_start::after(place.offset, place.length);
    const bool last = object + 1 == view.count;
    if (lengths_of_frames && object >= already_compared) {
      if (few ? object <= sink.last_compared() || (last && covered_.next < end) : is_short || last)
        why = compare(object, place, is_short);
      else
        structure.compared = structure.compared && !few;
      if (why) return why;
    }
    listed_ = place;
    sink.add(place);
  }
  std::uint64_t preceder = 0;
  return check_gap(end, true, preceder, structure);
}

bool index_lookup::find(message_structure& structure, object_sink& sink, failure& why) noexcept {
  const bool header = read_header(structure, why);
  if (why) return true;
  if (!header && !read_footer(structure, why)) return static_cast<bool>(why);
  const frame_place index = header ? *structure.header_index : *structure.footer_index;
  why = read_index(index, structure, sink);
  return true;
}

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
