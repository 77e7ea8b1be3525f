// SPDX-License-Identifier: Apache-2.0
// Gives the library access to the private members of message, frame, object and archive.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <tgmap/archive.hpp>
#include <tgmap/byte_source.hpp>
#include <utility>

#include "archive/lookup/message_structure.hpp"
#include "archive/lookup/object_parts.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

struct access {
  static message make_message(const archive_state& state, const message_position& position) noexcept {
    return {state, position};
  }
  static frame make_frame(const archive_state&, const message_position&, const frame_place&) noexcept;
  static frame_range make_frames(const archive_state&, const message_position&) noexcept;

  static object make_object(const archive_state& state, const message_position& message, std::size_t index,
                            const object_parts& parts) noexcept {
    return {state, message, index, parts};
  }

  /// Returns the range of the descriptor of an object.
  static byte_range descriptor_of(const object& o) noexcept {
    const bool first = o.region_at_ != wire::frame_header_size;
    return {.offset = o.frame_.offset() + (first ? wire::frame_header_size : o.region_at_ + o.region_length_),
            .size = o.descriptor_length_};
  }

  /// Returns the layout of the elements of an object that was viewed before; otherwise null.
  static const element_layout* layout_of(const object& o) noexcept { return o.elements_; }

  static const archive_state* state(const message& m) noexcept { return m.state_; }
  static const archive_state* state(const archive& a) noexcept { return a.state_.get(); }

  /// Returns the state of an archive that was just opened and that no other handle has.
  static archive_state& mutable_state(const archive& a) noexcept { return const_cast<archive_state&>(*a.state_); }

  static archive make_archive(std::unique_ptr<io::source>, const open_options&, failure&) noexcept;

  /// Notes the path by which an archive was just opened. Errors: out_of_memory.
  static failure set_path(const archive&, const std::filesystem::path&) noexcept;

  /// Returns the archive of a state that handles own already.
  static archive make_archive(std::shared_ptr<const archive_state> state) noexcept {
    archive out;
    out.state_ = std::move(state);
    return out;
  }

  /// Returns the bytes that a hash of version 3 covers.
  static byte_range body_range(const frame&) noexcept;
  static const archive_state* state(const frame& f) noexcept { return f.state_; }

  /// Returns why there is no message `index`: a gap ends the numbering, or there are fewer messages.
  static failure beyond(const archive_state&, std::size_t index) noexcept;

  /// Stores errc::no_archive.
  static std::span<const std::byte> none(failure& why) noexcept {
    why = {.code = errc::no_archive};
    return {};
  }
};

/// Calls the overload that fills `failure&` and throws the failure that it stores. Never inlined, so that the fast path
/// of the callers stays short.
template <class Call>
[[gnu::noinline, gnu::cold]] auto or_throw(Call&& call) {
  failure why;
  auto result = std::forward<Call>(call)(why);
  raise_if(why);
  return result;
}

}  // namespace detail

// Constructed in the storage of the caller. A copy would read members that were just written one by one, and stall
// until the processor has stored each.
inline frame::frame(const detail::archive_state& state, const message_position& message,
                    const detail::object_parts& parts) noexcept
    : state_(&state),
      message_(message),
      at_(parts.offset),
      length_(parts.length),
      type_(static_cast<frame_type>(parts.type)),
      frame_version_(parts.version),
      flags_(parts.flags) {}

inline object::object(const detail::archive_state& state, const message_position& message, std::size_t index,
                      const detail::object_parts& parts) noexcept
    : frame_(state, message, parts),
      index_(index),
      region_at_(parts.region_offset),
      region_length_(parts.region_length),
      payload_length_(parts.payload_length),
      descriptor_length_(parts.descriptor_length),
      elements_(parts.elements) {}

}  // namespace v0
}  // namespace tgmap
