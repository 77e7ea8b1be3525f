// SPDX-License-Identifier: Apache-2.0
#include <tgmap/located_object.hpp>

#include <memory>
#include <new>

#include "archive/access.hpp"
#include "archive/archive_state.hpp"
#include "archive/lookup/frame_places.hpp"
#include "archive/owned_descriptor.hpp"

namespace tgmap {
inline namespace v0 {

using detail::access;

located_object locate(const message& in, std::size_t j, failure& why) noexcept {
  why = {};
  const detail::archive_state* const state = access::state(in);
  detail::object_parts known;
  if (state != nullptr && state->objects().find(in.position(), j, known))
    return {in, access::make_object(*state, in.position(), j, known)};
  detail::located_frame frame;
  if (state == nullptr || !reads_frame_by_calls(*state) || !locate_frame(*state, in.position(), j, frame)) {
    const object found = in.at(j, why);
    return why ? located_object() : located_object(in, found);
  }
  located_object out;
  out.message_ = in;
  out.index_ = j;
  out.offset_ = frame.place.offset;
  out.length_ = frame.place.length;
  out.objects_ = frame.objects;
  out.has_header_ = frame.header.has_value();
  if (frame.header) {
    out.type_ = frame.header->type;
    out.version_ = frame.header->version;
    out.flags_ = frame.header->flags;
  }
  return out;
}

located_object locate(const message& in, std::size_t j) {
  return detail::or_throw([&](failure& why) { return locate(in, j, why); });
}

detail::located_frame located_object::place() const noexcept {
  detail::located_frame out{.place = {.offset = offset_, .length = length_, .preceder = 0}, .objects = objects_};
  if (has_header_) out.header = {.type = type_, .version = version_, .flags = flags_, .length = length_};
  return out;
}

object located_object::read(failure& why) const noexcept {
  why = {};
  if (is_read_) return object_;
  const detail::archive_state* const state = access::state(message_);
  detail::object_parts parts;
  if (state == nullptr || length_ == 0 || state->objects().find(message_.position(), index_, parts))
    return message_.at(index_, why);
  io::window window(state->bytes());
  // If the place is wrong, the message itself decides.
  if (read_located_frame(*state, message_.position(), index_, place(), window, parts)) return message_.at(index_, why);
  return access::make_object(*state, message_.position(), index_, parts);
}

object located_object::read() const {
  return detail::or_throw([&](failure& why) { return read(why); });
}

object located_object::read(std::shared_ptr<const descriptor>& what, failure& why) const noexcept try {
  why = {};
  const detail::archive_state* const state = access::state(message_);
  const message_position& message = message_.position();
  detail::object_parts parts;
  if (is_read_ || state == nullptr || length_ == 0 || state->objects().find(message, index_, parts)) {
    const object found = read(why);
    if (!why) what = shared_descriptor(found, why);
    return why ? object() : found;
  }
  io::window window(state->bytes());
  object found;
  if (read_located_frame(*state, message, index_, place(), window, parts))
    found = message_.at(index_, why);  // if the place is wrong, the message itself decides
  else
    found = access::make_object(*state, message, index_, parts);
  if (why) return {};
  detail::owned_descriptor held;
  const byte_range from = access::descriptor_of(found);
  if (from.size <= io::window::largest && window.holds(from.offset, static_cast<std::size_t>(from.size)))
    why = held.take(found, window.at(from.offset, static_cast<std::size_t>(from.size), why));
  else
    why = held.read(found);
  if (why) return {};
  what = held.share();
  detail::remember_layout(found, held.get());
  // With the layout that was remembered.
  return state->objects().find(message, index_, parts) ? access::make_object(*state, message, index_, parts) : found;
} catch (const std::bad_alloc&) {
  why = {.code = errc::out_of_memory};
  return {};
}

object located_object::read(std::shared_ptr<const descriptor>& what) const {
  return detail::or_throw([&](failure& why) { return read(what, why); });
}

}  // namespace v0
}  // namespace tgmap
