// SPDX-License-Identifier: Apache-2.0
// One data object: where its parts lie, specification §2.7. Views are in view.cpp.
#include <tgmap/object.hpp>

#include "archive/access.hpp"
#include "archive/held_descriptor.hpp"
#include "archive/state.hpp"
#include "archive/structure_copy.hpp"
#include "cbor/descriptor.hpp"

namespace tgmap {
inline namespace v0 {

using detail::access;

namespace {

/// The descriptor of an object, made where the caller wants it: it is near a kilobyte. Its entries lie in the copy,
/// of which the archive holds something where it is to last.
descriptor parsed(const detail::archive_state& state, detail::byte_range from, const object& of, bool lasts,
                  detail::structure_copy& copy, failure& why) noexcept {
  // What is too short to be one is only looked at: a file may have more of it than is worth holding.
  const io::nearby what = detail::nearby_of(of.frame().message(), of.frame().length());
  const failure unread = lasts && from.size >= cbor::least_descriptor
                             ? copy.load(state.bytes(), from.at, from.size, what)
                             : copy.look_at(state.bytes(), from.at, from.size, what);
  descriptor out =
      cbor::read_descriptor(copy.bytes(), of.payload_and_masks_size(), state.options().max_cbor_depth, why);
  if (unread) why = unread;
  if (why) {
    // The rest of a last page reads as zeros: before damage is believed, the file is asked.
    if (failure gone = state.bytes().whole()) {
      gone.offset = from.at;
      why = gone;
    }
    if (why.offset == 0) why.offset = from.at;
    why = detail::located(why, of.frame().message(), of.index());
    out = {};  // nothing of the copy
    return out;
  }
  return out;
}

}  // namespace

descriptor object::descriptor(failure& why) const noexcept {
  why = {};
  const detail::archive_state* const state = access::state(frame_);
  if (state == nullptr) {
    access::none(why);
    return {};
  }
  detail::structure_copy copy;
  tgmap::descriptor out = parsed(*state, access::descriptor_of(*this), *this, true, copy, why);
  if (why) return out;
  out.type = copy.lasting(out.type);
  out.entries = copy.lasting(out.entries);
  return out;
}

failure detail::held_descriptor::read(const object& of) noexcept {
  failure why;
  const archive_state* const state = access::state(of.frame());
  if (state == nullptr)
    access::none(why);
  else
    what_ = parsed(*state, access::descriptor_of(of), of, false, copy_, why);
  return why;
}

descriptor object::descriptor() const {
  failure why;
  auto out = descriptor(why);
  detail::raise_if(why);
  return out;
}

namespace {

/// Bytes of an object's frame as they lie.
std::span<const std::byte> bytes_of(const object& of, std::uint64_t at, std::uint64_t size, failure& why) noexcept {
  const detail::archive_state* const state = access::state(of.frame());
  if (state == nullptr) return access::none(why);
  if (const std::byte* all = state->bytes().mapped()) return {all + at, static_cast<std::size_t>(size)};
  const auto bytes = state->bytes().view(at, size, io::held::payload, why);
  why = detail::located(why, of.frame().message(), of.index());
  return bytes;
}

}  // namespace

std::span<const std::byte> object::payload(failure& why) const noexcept {
  why = {};
  return bytes_of(*this, payload_offset(), payload_length_, why);
}

std::span<const std::byte> object::payload_and_masks(failure& why) const noexcept {
  why = {};
  return bytes_of(*this, payload_offset(), region_length_, why);
}

std::span<const std::byte> object::payload() const {
  const detail::archive_state* const state = access::state(frame_);
  if (state != nullptr && state->bytes().mapped() != nullptr)
    return {state->bytes().mapped() + payload_offset(), static_cast<std::size_t>(payload_length_)};
  failure why;
  const auto bytes = payload(why);
  detail::raise_if(why);
  return bytes;
}

std::span<const std::byte> object::payload_and_masks() const {
  failure why;
  const auto bytes = payload_and_masks(why);
  detail::raise_if(why);
  return bytes;
}

void object::read(std::uint64_t offset, std::span<std::byte> out, failure& why) const noexcept {
  why = {};
  if (access::state(frame_) == nullptr) {
    access::none(why);
    return;
  }
  if (!wire::fits(offset, out.size(), payload_length_))
    why = {.code = errc::read_past_end,
           .offset = payload_offset(),
           .expected = payload_length_,
           .found = offset > UINT64_MAX - out.size() ? UINT64_MAX : offset + out.size()};
  else
    why = access::state(frame_)->bytes().read(payload_offset() + offset, out);
  why = detail::located(why, frame_.message(), index_);
}

void object::read(std::uint64_t offset, std::span<std::byte> out) const {
  failure why;
  read(offset, out, why);
  detail::raise_if(why);
}

}  // namespace v0
}  // namespace tgmap
