// SPDX-License-Identifier: Apache-2.0
#include "gather/object_finder.hpp"

#include <algorithm>
#include <cstring>
#include <tgmap/archive.hpp>

#include "archive/access.hpp"
#include "archive/lookup/find_objects.hpp"
#include "archive/scan/message_table.hpp"
#include "archive/scan/parse_message_at.hpp"
#include "cbor/structure/descriptor.hpp"
#include "cbor/walk.hpp"
#include "wire/message_layout.hpp"

namespace tgmap::gather {

namespace {

/// Bytes of a message that are read first, and at most, to find its header frames. A system call takes as long as
/// copying some KiB from the page cache.
constexpr std::size_t first_header_size = 2048, max_header_size = std::size_t{64} << 10;

/// Bytes before the end of a large frame that hold most descriptors.
constexpr std::uint64_t frame_end_size = 1024;

failure at_offset(failure why, std::uint64_t offset) noexcept {
  if (why && why.offset == 0) why.offset = offset;
  return why;
}

}  // namespace

object_finder::object_finder() noexcept : header_size_(first_header_size) {}

failure object_finder::find(const detail::archive_state& state, const wanted_object& wanted,
                            found_object& out) noexcept {
  out = {};
  const bool is_same_archive = state_ == &state;
  if (!is_same_archive) ahead_count_ = ahead_next_ = 0;
  frame_bytes frame;
  if (!is_same_archive || !is_open_ || message_.offset() != wanted.message_offset) {
    is_open_ = false;
    state_ = &state;
    if (failure why = open_message(wanted, frame)) return at_offset(why, wanted.message_offset);
    is_open_ = true;
  }
  detail::object_place place{};
  failure why = place_of(wanted.object, place);
  if (!why && !record_) {
    expected_object_ = wanted.object;
    expected_ = place;
  }
  if (!why && frame.header.empty()) why = read_frame(place, wanted, frame);
  if (!why) why = parse_frame(place, frame, wanted.object, out);
  return detail::with_location(state, why, message_, wanted.object);
}

/// Reads the header of a message, and the frame of the object, too, if it is where it is expected.
failure object_finder::open_message(const wanted_object& wanted, frame_bytes& frame) noexcept {
  const io::source& in = state_->bytes();
  const std::uint64_t offset = wanted.message_offset;
  if (offset >= in.size())
    return {.code = errc::out_of_range, .offset = offset, .expected = in.size(), .found = offset};
  record_.reset();
  objects_ = 0;
  message_ = {};
  if (failure why = read_expected(wanted, frame)) return why;
  if (objects_ != 0) return {};  // the header is known, and mostly the frame
  failure why;
  for (std::size_t size = header_size_; size <= max_header_size; size *= 8) {
    const auto bytes = head_.take(std::min<std::uint64_t>(size, in.size() - offset), why);
    if (!why) why = in.read(offset, bytes);
    if (why) return why;
    head_bytes_ = bytes;
    if (parse_header(offset)) return {};
    if (message_.length() <= bytes.size()) break;  // it states no length, or all of it was read
  }
  return find_by_frames(offset);
}

/// Returns whether the object is expected where that of the message before was. After misses this is tried rarely.
bool object_finder::expects(const wanted_object& wanted) noexcept {
  constexpr unsigned max_misses = 2, again = 32;
  if (misses_ >= max_misses && ++misses_ % again != 0) return false;
  return expected_.length != 0 && wanted.object == expected_object_ && expected_.offset <= max_header_size &&
         expected_.length >= wire::min_frame_size(wire::object_frame, 2) &&
         wire::fits(expected_.offset, expected_.length, state_->bytes().size() - wanted.message_offset);
}

/// Reads header and frame by one call, if the object is near the place where it is expected.
failure object_finder::read_expected(const wanted_object& wanted, frame_bytes& frame) noexcept {
  if (!expects(wanted)) return {};
  const std::uint64_t around = expected_.length - std::min<std::uint64_t>(expected_.length, wanted.output.size());
  if (wanted.output.size() >= 2 * slack && around >= wire::min_frame_size(wire::object_frame, 2) &&
      around <= max_around && is_payload_first_)
    return read_into_output(wanted, frame);
  const std::uint64_t size = expected_.offset + expected_.length + expected_.length / 8 + slack;
  if (size > wanted.max_whole) return {};
  const io::source& in = state_->bytes();
  failure why;
  const auto bytes = head_.take(std::min<std::uint64_t>(size, in.size() - wanted.message_offset), why);
  if (!why) why = in.read(wanted.message_offset, bytes);
  if (why) return why;
  head_bytes_ = bytes;
  detail::object_place place{};
  const bool is_read = parse_header(wanted.message_offset) && !place_of(wanted.object, place) &&
                       wire::fits(place.offset, place.length, bytes.size());
  misses_ = is_read ? 0 : misses_ + 1;
  if (!is_read) return {};
  frame.tail = bytes.subspan(static_cast<std::size_t>(place.offset), static_cast<std::size_t>(place.length));
  frame.header = frame.tail.first(std::min(frame.tail.size(), wire::frame_header_size));
  return {};
}

/// Reads several messages by one call, if their objects are expected near their beginnings, and little is between their
/// payloads. A system call takes as long as copying some KiB.
std::size_t object_finder::read_ahead(const detail::archive_state& state,
                                      std::span<const wanted_object> next) noexcept {
  ahead_count_ = ahead_next_ = 0;
  if (state_ != &state || misses_ != 0 || !is_payload_first_ || expected_.length == 0 ||
      expected_.offset > max_header_size || !state.bytes().in_file())
    return 0;
  const std::uint64_t before = expected_.offset + wire::frame_header_size;
  std::size_t count = 0, between = 0;
  for (; count < std::min(next.size(), ahead_.size()); ++count) {
    const wanted_object& each = next[count];
    const std::uint64_t size = each.output.size();
    if (each.message_offset >= state.bytes().size() || each.object != expected_object_ || size < 2 * slack ||
        size + wire::frame_header_size > expected_.length || expected_.length - size > max_around ||
        !wire::fits(expected_.offset, expected_.length, state.bytes().size() - each.message_offset))
      break;
    if (count == 0) continue;
    const std::uint64_t end = next[count - 1].message_offset + before + next[count - 1].output.size();
    const std::uint64_t begin = each.message_offset + before;
    if (each.message_offset < end || begin - end > max_between) break;
    between += static_cast<std::size_t>(begin - end);
  }
  if (count < 2) return 0;
  failure why;
  const wanted_object& last = next[count - 1];
  const std::uint64_t end = last.message_offset + before + last.output.size();
  const std::size_t behind = static_cast<std::size_t>(std::min<std::uint64_t>(
      expected_.length - wire::frame_header_size - last.output.size() + slack, state.bytes().size() - end));
  auto rest = between_.take(before + between + behind, why);
  if (why) return 0;
  std::array<std::span<std::byte>, 2 * max_ahead + 1> parts;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t from =
        i == 0 ? next[0].message_offset : next[i - 1].message_offset + before + next[i - 1].output.size();
    const auto size = static_cast<std::size_t>(next[i].message_offset + before - from);
    parts[2 * i] = rest.first(size);
    parts[2 * i + 1] = next[i].output;
    rest = rest.subspan(size);
  }
  parts[2 * count] = rest;
  if (state.bytes().read(next[0].message_offset, std::span(parts).first(2 * count + 1))) return 0;
  for (std::size_t i = 0; i < count; ++i)
    ahead_[i] = {.message_offset = next[i].message_offset,
                 .output = next[i].output.data(),
                 .head = parts[2 * i].last(static_cast<std::size_t>(before)),
                 .tail = parts[2 * i + 2]};
  ahead_count_ = count;
  ahead_place_ = expected_;
  return count;
}

/// Reads what comes before the payload, the payload into the output, and what comes after it.
failure object_finder::read_into_output(const wanted_object& wanted, frame_bytes& frame) noexcept {
  const io::source& in = state_->bytes();
  const read_message* const ahead = ahead_next_ < ahead_count_ &&
                                            ahead_[ahead_next_].message_offset == wanted.message_offset &&
                                            ahead_[ahead_next_].output == wanted.output.data()
                                        ? &ahead_[ahead_next_++]
                                        : nullptr;
  if (ahead != nullptr) expected_ = ahead_place_;
  const auto begin = static_cast<std::size_t>(expected_.offset) + wire::frame_header_size;
  const std::uint64_t behind = expected_.length - wire::frame_header_size - wanted.output.size() + slack;
  failure why;
  // The header may end in the bytes that came into the output: they are copied behind it.
  const auto head = head_.take(begin + 2 * slack, why);
  if (why) return why;
  std::size_t tail = 0;
  if (ahead != nullptr) {
    tail = static_cast<std::size_t>(std::min<std::uint64_t>(behind, ahead->tail.size()));
    std::copy(ahead->head.begin(), ahead->head.end(), head.begin());
    std::copy_n(ahead->tail.begin(), tail, tail_.begin() + slack);
  } else {
    tail = static_cast<std::size_t>(std::min(behind, in.size() - wanted.message_offset - begin - wanted.output.size()));
    why = in.read(wanted.message_offset,
                  std::array{head.first(begin), wanted.output, std::span(tail_).subspan(slack, tail)});
    if (why) return why;
  }
  std::copy_n(wanted.output.begin(), 2 * slack, head.begin() + static_cast<std::ptrdiff_t>(begin));
  head_bytes_ = head;
  detail::object_place place{};
  const bool is_read = parse_header(wanted.message_offset) && !place_of(wanted.object, place) &&
                       move_payload(place, wanted.output, tail, frame);
  misses_ = is_read ? 0 : misses_ + 1;
  return {};
}

/// Moves the payload to the beginning of the output, if it was read at most `slack` bytes beside it, and all of it.
bool object_finder::move_payload(const detail::object_place& place, std::span<std::byte> output, std::size_t tail,
                                 frame_bytes& frame) noexcept {
  const auto shift = static_cast<std::int64_t>(place.offset - expected_.offset);
  constexpr auto most = static_cast<std::int64_t>(slack);
  if (shift < -most || shift > most || place.length < wire::frame_header_size + output.size()) return false;
  const std::uint64_t around = place.length - wire::frame_header_size - output.size();
  if (around > max_around || static_cast<std::int64_t>(around) + shift > static_cast<std::int64_t>(tail)) return false;
  const auto by = static_cast<std::size_t>(shift < 0 ? -shift : shift);
  const std::size_t kept = output.size() - by;
  if (shift > 0) {
    std::memmove(output.data(), output.data() + by, kept);
    std::memcpy(output.data() + kept, tail_.data() + slack, by);
  } else if (shift < 0) {
    const auto before = static_cast<std::size_t>(place.offset) + wire::frame_header_size;
    std::memcpy(tail_.data() + slack - by, output.data() + kept, by);
    std::memmove(output.data() + by, output.data(), kept);
    std::memcpy(output.data(), head_bytes_.data() + before, by);
  }
  frame.header = head_bytes_.subspan(static_cast<std::size_t>(place.offset), wire::frame_header_size);
  frame.tail = std::span<const std::byte>(tail_).subspan(static_cast<std::size_t>(most + shift),
                                                         static_cast<std::size_t>(around));
  frame.tail_begin = place.length - around;
  frame.is_in_output = true;
  return true;
}

/// Returns whether the bytes of the message hold a common header. Sets the message if it states its length.
bool object_finder::parse_header(std::uint64_t offset) noexcept {
  message_ = {};
  const auto start = wire::parse_preamble(head_bytes_);
  if (!start || !wire::has_frames(start->version) ||
      !wire::is_message_length(start->total_length, start->version, state_->bytes().size() - offset))
    return false;
  message_ =
      detail::message_table::entry::of(offset, start->total_length, start->version, false).position(std::nullopt);
  const std::uint64_t frames = wire::frames_end(message_.length(), message_.version());
  const auto bytes = head_bytes_.first(static_cast<std::size_t>(std::min<std::uint64_t>(head_bytes_.size(), frames)));
  if (bytes.size() < wire::preamble_size ||
      !detail::parse_common_header(state_->options(), bytes.subspan(wire::preamble_size), message_, header_))
    return false;
  objects_ = header_.objects;
  const auto held = static_cast<std::size_t>(header_.places[0].offset) + wire::frame_header_size;
  header_size_ = std::clamp(held, header_size_, max_header_size);
  return true;
}

/// Finds the message and its objects by the general readers.
failure object_finder::find_by_frames(std::uint64_t offset) noexcept {
  io::window window(state_->bytes());
  head_bytes_ = {};
  const detail::parsed_message found = detail::parse_message_at(window, offset, state_->options());
  if (found.status != detail::message_status::whole && found.status != detail::message_status::incomplete)
    return found.why;
  message_ = found.message;
  detail::message_structure structure;
  detail::object_sink sink;
  failure why = detail::find_objects(*state_, window, message_, structure, sink);
  if (why) return detail::with_location(*state_, why, message_);
  objects_ = sink.count();
  record_ = sink.take_record(true);
  if (!record_ && objects_ != 0) return {.code = errc::out_of_memory, .offset = offset};
  return {};
}

failure object_finder::place_of(std::uint64_t object, detail::object_place& out) const noexcept {
  if (object >= objects_)
    return {.code = errc::out_of_range, .offset = message_.offset(), .expected = objects_, .found = object};
  const auto j = static_cast<std::size_t>(object);
  out = record_ ? record_->place(j) : header_.places[j];
  return {};
}

/// Reads header and end of a frame, or all of it.
failure object_finder::read_frame(const detail::object_place& place, const wanted_object& wanted,
                                  frame_bytes& out) noexcept {
  const io::source& in = state_->bytes();
  const std::uint64_t at = message_.offset() + place.offset;
  const std::uint64_t around = place.length - std::min<std::uint64_t>(place.length, wanted.output.size());
  const bool into_output = !wanted.output.empty() && is_payload_first_ &&
                           around >= wire::min_frame_size(wire::object_frame, 2) && around <= tail_.size();
  failure why;
  if (into_output) {
    const auto rest = std::span(tail_).first(static_cast<std::size_t>(around) - wire::frame_header_size);
    out = {.header = frame_header_, .tail = rest, .tail_begin = place.length - rest.size(), .is_in_output = true};
    return in.read(at, std::array{std::span<std::byte>(frame_header_), wanted.output, rest});
  }
  if (place.length <= std::max<std::uint64_t>(wanted.max_whole, frame_end_size)) {
    const auto all = body_.take(place.length, why);
    if (!why) why = in.read(at, all);
    out = {.header = all.first(why ? 0 : std::min(all.size(), wire::frame_header_size)), .tail = all};
    return why;
  }
  const auto tail = std::span(tail_).first(static_cast<std::size_t>(frame_end_size));
  out.tail = tail;
  out.tail_begin = place.length - frame_end_size;
  if (wire::fits(place.offset, wire::frame_header_size, head_bytes_.size())) {
    out.header = head_bytes_.subspan(static_cast<std::size_t>(place.offset), wire::frame_header_size);
  } else {
    why = in.read(at, frame_header_);
    out.header = frame_header_;
  }
  return why ? why : in.read(at + out.tail_begin, tail);
}

/// Checks a frame as read_object_parts does, with the bytes that were read.
failure object_finder::parse_frame(const detail::object_place& place, const frame_bytes& frame, std::uint64_t object,
                                   found_object& out) noexcept {
  const std::uint64_t begin = message_.offset() + place.offset;
  const unsigned version = message_.version();
  const auto header = wire::parse_frame_header(frame.header);
  if (failure why = detail::check_listed_frame(place, header, message_)) return why;
  const std::size_t tail_size = wire::tail_size(header->type, version);
  const std::uint64_t body_end = wire::body_end(place.length, header->type, version);
  if (place.length < wire::min_frame_size(header->type, version) || body_end < frame.tail_begin)
    return read_parts(place, object, out);
  const auto end = frame.tail.subspan(static_cast<std::size_t>(body_end - frame.tail_begin), tail_size);
  if (!wire::frame_ends(end, 0, end.size()))
    return {.code = errc::missing_frame_end, .offset = begin, .expected = place.length};
  const auto descriptor = wire::load_be<std::uint64_t>(end, 0);
  const bool is_last = (header->flags & wire::cbor_after_payload_flag) != 0;
  is_payload_first_ = is_last;
  const bool is_held = is_last && descriptor >= frame.tail_begin;
  // Unusual frames, and those of which too little was read, are left to the general reader, which reads them again.
  if (!wire::is_descriptor_offset(descriptor, header->flags, body_end) ||
      (!is_held && (is_last || frame.tail_begin != 0)) || body_end - descriptor > state_->options().max_metadata_bytes)
    return read_parts(place, object, out);

  auto bytes = frame.tail.subspan(static_cast<std::size_t>(descriptor - frame.tail_begin),
                                  static_cast<std::size_t>(body_end - descriptor));
  if (!is_last) {  // the frame was read whole, and the payload comes after the descriptor
    const std::byte* const behind = cbor::skip(bytes.data(), bytes.data() + bytes.size());
    if (behind == nullptr) return {.code = errc::bad_cbor, .offset = begin + descriptor};
    bytes = {bytes.data(), behind};
  }
  detail::object_parts parts{
      .offset = place.offset,
      .length = place.length,
      .descriptor_offset = descriptor,
      .descriptor_length = bytes.size(),
      .region_offset = is_last ? wire::frame_header_size : descriptor + bytes.size(),
      .region_length = is_last ? descriptor - wire::frame_header_size : body_end - descriptor - bytes.size(),
      .type = header->type,
      .version = header->version,
      .flags = header->flags};
  if (failure why = cbor::read_payload_length(bytes, parts.region_length, parts.payload_length))
    return at_offset(why, begin + descriptor);
  out.handle = detail::access::make_object(*state_, message_, static_cast<std::size_t>(object), parts);
  out.descriptor = bytes;
  out.is_in_output = frame.is_in_output;
  if (frame.tail_begin == 0)
    out.region = frame.tail.subspan(static_cast<std::size_t>(parts.region_offset),
                                    static_cast<std::size_t>(parts.region_length));
  return {};
}

failure object_finder::read_parts(const detail::object_place& place, std::uint64_t object, found_object& out) noexcept {
  io::window window(state_->bytes());
  detail::object_parts parts;
  const failure why = detail::read_object_parts(*state_, window, message_, place, parts);
  if (!why) out.handle = detail::access::make_object(*state_, message_, static_cast<std::size_t>(object), parts);
  return why;
}

}  // namespace tgmap::gather
