// SPDX-License-Identifier: Apache-2.0
// The one friend of the public handles: makes them, and reads their insides.
#pragma once

#include <cstdint>
#include <memory>
#include <tgmap/archive.hpp>

#include "archive/layout.hpp"
#include "archive/object_facts.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

/// A range of the archive.
struct byte_range {
  std::uint64_t at = 0;
  std::uint64_t size = 0;
};

struct access {
  // Field by field into the place where it is wanted: a copy of what was just written in pieces waits for each piece.
  static void fill(message& out, const archive_state& state, const message_position& position) noexcept {
    out.state_ = &state;
    fill(out.position_, position);
  }
  static void fill(object& out, const archive_state& state, const message_position& message, std::size_t index,
                   const object_facts& facts) noexcept {
    out.frame_.state_ = &state;
    fill(out.frame_.message_, message);
    out.frame_.at_ = facts.at;
    out.frame_.length_ = facts.length;
    out.frame_.type_ = static_cast<frame_type>(facts.type);
    out.frame_.frame_version_ = facts.version;
    out.frame_.flags_ = facts.flags;
    out.index_ = index;
    out.region_at_ = facts.region_at;
    out.region_length_ = facts.region_length;
    out.payload_length_ = facts.payload_length;
    out.descriptor_at_ = facts.descriptor_at;
    out.descriptor_length_ = facts.descriptor_length;
  }
  static void fill(message_position& out, const message_position& from) noexcept {
    out.offset = from.offset;
    out.length = from.length;
    out.index = from.index;
    out.version = from.version;
    out.streamed = from.streamed;
    out.incomplete = from.incomplete;
  }

  static message make_message(const archive_state& state, const message_position& position) noexcept {
    message out;
    fill(out, state, position);
    return out;
  }
  static frame make_frame(const archive_state&, const message_position&, const frame_place&) noexcept;
  static frame_range make_frames(const archive_state&, const message_position&) noexcept;

  static object make_object(const archive_state& state, const message_position& message, std::size_t index,
                            const object_facts& facts) noexcept {
    object out;
    fill(out, state, message, index, facts);
    return out;
  }

  /// Message `i` and object `j` of a message, if they can be had without looking at the archive.
  static bool known(const archive&, std::size_t i, message& out) noexcept;
  static bool known(const message&, std::size_t j, object& out) noexcept;

  static archive make_archive(std::unique_ptr<io::source>, const open_options&, failure&) noexcept;

  /// What a digest of version 3 covers, in the archive.
  static byte_range body_range(const frame&) noexcept;
  static const archive_state* state(const frame& f) noexcept { return f.state_; }

  /// Why message `index` cannot be had: a gap ends numbering, or there are fewer.
  static failure beyond(const archive_state&, std::size_t index) noexcept;

  /// Says that there is no archive.
  static std::span<const std::byte> none(failure& why) noexcept {
    why = {.code = errc::no_archive};
    return {};
  }
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
