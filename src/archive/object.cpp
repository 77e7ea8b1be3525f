// SPDX-License-Identifier: Apache-2.0
// One data object: where its parts lie, specification §2.7. Views are in view.cpp.
#include <tgmap/object.hpp>

#include <algorithm>
#include <array>

#include "archive/access.hpp"
#include "archive/state.hpp"
#include "archive/verify.hpp"
#include "cbor/descriptor.hpp"
#include "cbor/prescan.hpp"
#include "cbor/skip.hpp"
#include "io/scratch.hpp"

namespace tgmap {
inline namespace v0 {

using detail::access;

namespace {

/// The descriptor item at the start of up to `most` bytes. Without a mapping only as much is read as the descriptor
/// needs, not the payload behind it.
std::span<const std::byte> leading_item(const io::source& in, io::scratch& scratch, std::uint64_t at,
                                        std::uint64_t most, failure& why) noexcept {
  constexpr std::uint64_t first_look = 4096;
  for (std::uint64_t n = in.mapped() != nullptr ? most : std::min(most, first_look);; n = std::min(most, n * 8)) {
    const auto bytes = scratch.bytes(in, at, n, why);
    if (why) return {};
    const std::byte* behind = cbor::skip(bytes.data(), bytes.data() + bytes.size());
    if (behind != nullptr) return {bytes.data(), behind};
    if (n == most) {
      why = {.code = errc::bad_cbor, .offset = at};
      return {};
    }
  }
}

}  // namespace

object detail::access::make_object(const archive_state& state, const message_position& message, std::size_t index,
                                   const object_place& place, failure& why) noexcept {
  object out;
  const auto fail = [&](errc code, std::uint64_t expected = 0, std::uint64_t found = 0) {
    why = located({.code = code, .offset = message.offset + place.at, .expected = expected, .found = found}, message,
                  static_cast<std::int64_t>(index));
    return object();
  };
  // The walk checks header and end of the frame again: bytes may have changed since it was found.
  io::window window(state.bytes());
  frame_walk walk(window, frames_of(state, message), walk_start::at(place.at));
  frame_place at;
  if (walk.next(at, why) != met::frame) {
    if (!why) return fail(errc::not_an_object);
    why = located(why, message, static_cast<std::int64_t>(index));
    return out;
  }
  if (!wire::is_object(at.header.type, message.version)) return fail(errc::not_an_object, 0, at.header.type);
  if (place.length != at.header.length) return fail(errc::index_length, place.length, at.header.length);

  const std::uint64_t length = at.header.length;
  const std::size_t tail = wire::tail_size(at.header.type, message.version);
  const std::uint64_t body_end = length - tail;
  const auto last = window.at(message.offset + place.at + body_end, tail, why);
  if (why) return out;
  const auto descriptor = wire::load_be<std::uint64_t>(last, 0);
  if (descriptor < wire::frame_header_size || descriptor > body_end)
    return fail(errc::descriptor_offset, body_end, descriptor);
  const bool after_payload = (at.header.flags & wire::cbor_after_payload_flag) != 0;
  // No digest covers the flag: a descriptor that comes first must be first, or a changed bit would hide the payload.
  if (!after_payload && descriptor != wire::frame_header_size)
    return fail(errc::descriptor_offset, wire::frame_header_size, descriptor);

  out.frame_ = make_frame(state, message, at);
  out.index_ = index;
  out.descriptor_at_ = descriptor;
  const std::uint64_t begin = message.offset + place.at + descriptor;
  // Limited before it is read: the length is the file's, not ours.
  const std::uint64_t most = std::min(body_end - descriptor, state.options().max_metadata_bytes);
  if (after_payload && most < body_end - descriptor) return fail(errc::metadata_limit, most, body_end - descriptor);

  io::scratch scratch;
  std::span<const std::byte> bytes;
  if (after_payload) {
    bytes = scratch.bytes(state.bytes(), begin, most, why);
    out.region_at_ = wire::frame_header_size;
    out.region_length_ = descriptor - wire::frame_header_size;
  } else {
    bytes = leading_item(state.bytes(), scratch, begin, most, why);
    out.region_at_ = descriptor + bytes.size();
    out.region_length_ = body_end - out.region_at_;
  }
  out.descriptor_length_ = bytes.size();
  if (!why) why = cbor::read_payload_length(bytes, out.region_length_, out.payload_length_);
  if (!why) return out;
  why.offset = begin;
  why = located(why, message, static_cast<std::int64_t>(index));
  return object();
}

std::span<const std::byte> detail::access::descriptor_bytes(const object& of, failure& why) noexcept {
  const archive_state* state = of.frame_.state_;
  if (state == nullptr) return none(why);
  const std::uint64_t at = of.frame_.offset() + of.descriptor_at_;
  return state->bytes().view(at, of.descriptor_length_, io::held::structure, why);
}

descriptor object::descriptor(failure& why) const noexcept {
  why = {};
  tgmap::descriptor out;
  const auto bytes = access::descriptor_bytes(*this, why);
  if (!why) why = cbor::prescan(bytes, access::state(frame_)->options().max_cbor_depth, cbor::rules::descriptor);
  if (!why) why = cbor::read_descriptor(bytes, region_length_, out);
  if (why && frame_.length() != 0) {
    if (why.offset == 0) why.offset = frame_.offset() + descriptor_at_;
    why = detail::located(why, frame_.message(), static_cast<std::int64_t>(index_));
  }
  return out;
}

descriptor object::descriptor() const {
  failure why;
  auto out = descriptor(why);
  detail::raise_if(why);
  return out;
}

std::span<const std::byte> object::payload(failure& why) const noexcept {
  why = {};
  if (access::state(frame_) == nullptr) return access::none(why);
  const auto bytes = access::state(frame_)->bytes().view(payload_offset(), payload_length_, io::held::payload, why);
  why = detail::located(why, frame_.message(), static_cast<std::int64_t>(index_));
  return bytes;
}

std::span<const std::byte> object::payload() const {
  failure why;
  const auto bytes = payload(why);
  detail::raise_if(why);
  return bytes;
}

std::span<const std::byte> object::region(failure& why) const noexcept {
  why = {};
  if (access::state(frame_) == nullptr) return access::none(why);
  const auto bytes = access::state(frame_)->bytes().view(payload_offset(), region_length_, io::held::payload, why);
  why = detail::located(why, frame_.message(), static_cast<std::int64_t>(index_));
  return bytes;
}

std::span<const std::byte> object::region() const {
  failure why;
  const auto bytes = region(why);
  detail::raise_if(why);
  return bytes;
}

void object::read(std::span<std::byte> out, std::uint64_t from, failure& why) const noexcept {
  why = {};
  if (access::state(frame_) == nullptr) {
    access::none(why);
    return;
  }
  if (!wire::fits(from, out.size(), payload_length_))
    why = {.code = errc::read_beyond,
           .offset = payload_offset(),
           .expected = payload_length_,
           .found = from > UINT64_MAX - out.size() ? UINT64_MAX : from + out.size()};
  else
    why = access::state(frame_)->bytes().read(payload_offset() + from, out);
  why = detail::located(why, frame_.message(), static_cast<std::int64_t>(index_));
}

void object::read(std::span<std::byte> out, std::uint64_t from) const {
  failure why;
  read(out, from, why);
  detail::raise_if(why);
}

}  // namespace v0
}  // namespace tgmap
