// SPDX-License-Identifier: Apache-2.0
#include <tgmap/frame.hpp>

#include <array>
#include <optional>
#include <tgmap/enum_names.hpp>

#include "archive/access.hpp"
#include "archive/archive_state.hpp"
#include "archive/hash.hpp"
#include "archive/lookup/frame_walk.hpp"
#include "archive/lookup/message_structure.hpp"
#include "core/text/enum_table.hpp"
#include "wire/preamble.hpp"

namespace tgmap {
inline namespace v0 {

namespace detail {

frame access::make_frame(const archive_state& state, const message_position& message,
                         const frame_place& place) noexcept {
  frame out;
  out.state_ = &state;
  out.message_ = message;
  out.at_ = place.offset;
  out.length_ = place.header.length;
  out.padding_ = place.padding;
  out.type_ = static_cast<frame_type>(place.header.type);
  out.frame_version_ = place.header.version;
  out.flags_ = place.header.flags;
  return out;
}

frame_range access::make_frames(const archive_state& state, const message_position& message) noexcept {
  frame_range out;
  out.state_ = &state;
  out.message_ = message;
  out.done_ = false;
  return out;
}

byte_range access::body_range(const frame& frame) noexcept {
  const std::uint64_t around = wire::min_frame_size(static_cast<std::uint16_t>(frame.type_), frame.message_.version());
  return {.offset = frame.offset() + wire::frame_header_size, .size = frame.length_ - around};
}

}  // namespace detail

using detail::access;

bool frame::is_known() const noexcept {
  return wire::phase_of(static_cast<std::uint16_t>(type_), message_.version()) != wire::phase::unknown;
}

bool frame::is_object() const noexcept {
  return wire::is_object(static_cast<std::uint16_t>(type_), message_.version());
}

std::uint64_t frame::body_offset() const noexcept { return access::body_range(*this).offset; }
std::uint64_t frame::body_size() const noexcept { return length_ == 0 ? 0 : access::body_range(*this).size; }

std::span<const std::byte> frame::body(failure& why) const noexcept {
  why = {};
  if (state_ == nullptr) return access::none(why);
  const auto [at, size] = access::body_range(*this);
  auto bytes = state_->bytes().view(at, size, io::budget::payload, why);
  why = detail::with_location(why, message_);
  return bytes;
}

std::span<const std::byte> frame::body() const {
  failure why;
  const auto bytes = body(why);
  detail::raise_if(why);
  return bytes;
}

// Uses positioned reads, as all of verification: lost bytes of a file are an error, never a signal.
std::optional<std::uint64_t> detail::read_frame_hash(const frame& frame, failure& why) noexcept {
  const io::source& in = access::state(frame)->bytes();
  const message_position& message = frame.message();
  if (message.version() != 3 || !frame.is_known()) return std::nullopt;
  std::array<std::byte, sizeof(std::uint64_t)> slot;
  why = in.read(frame.offset() + frame.length() - wire::frame_end_magic.size() - slot.size(), slot);
  if (why) return std::nullopt;
  const auto hash = wire::load_be<std::uint64_t>(slot, 0);
  if ((frame.flags() & wire::hash_present_flag) != 0) return hash;
  // Releases 0.17 to 0.20 fill the slot without setting the flag of the frame, but set that of the message (§4).
  std::array<std::byte, wire::preamble_size> bytes;
  if (hash != 0) why = in.read(message.offset(), bytes);
  const auto start = hash != 0 && !why ? wire::parse_preamble(bytes) : std::nullopt;
  return start && (start->flags & wire::hashes_present_flag) != 0 ? std::optional(hash) : std::nullopt;
}

std::optional<std::uint64_t> frame::stored_hash() const noexcept {
  failure ignored;
  return state_ == nullptr ? std::nullopt : detail::read_frame_hash(*this, ignored);
}

hash_result frame::verify(failure& why) const noexcept {
  std::uint64_t unused = 0;
  return verify(unused, why);
}

hash_result frame::verify(std::uint64_t& found, failure& why) const noexcept {
  why = {};
  found = 0;
  if (state_ == nullptr) {
    access::none(why);
    return hash_result::absent;
  }
  const auto stored = detail::read_frame_hash(*this, why);
  why = detail::with_location(why, message_);
  if (why || !stored) return hash_result::absent;
  const auto [at, size] = access::body_range(*this);
  why = detail::with_location(detail::compare_hash(state_->bytes(), at, size, *stored, found), message_);
  if (why) return hash_result::absent;
  return found == *stored ? hash_result::match : hash_result::mismatch;
}

hash_result frame::verify() const {
  failure why;
  const hash_result state = verify(why);
  detail::raise_if(why);
  return state;
}

bool frame_range::next(frame& out, failure& why) noexcept {
  why = {};
  if (done_) return false;
  io::window window(state_->bytes());
  const auto start = length_ == 0 ? detail::walk_start::preamble() : detail::walk_start::after(at_, length_);
  detail::frame_walk walk(window, detail::frames_of(*state_, message_), start);
  detail::frame_place place;
  switch (walk.next(place, why)) {
    case detail::walk_step::frame:
      out = access::make_frame(*state_, message_, place);
      at_ = place.offset;
      length_ = place.header.length;
      return true;
    case detail::walk_step::damage: why = detail::with_location(*state_, why, message_); break;
    case detail::walk_step::end: break;
  }
  done_ = true;
  return false;
}

TGMAP_ENUM_NAMES(frame_type, 1, "header metadata", "header index", "header hashes", "data object (old)",
                 "footer hashes", "footer index", "footer metadata", "preceder metadata", "data object")
TGMAP_ENUM_NAMES(hash_result, 0, "match", "mismatch", "absent", "unsupported")

}  // namespace v0
}  // namespace tgmap
