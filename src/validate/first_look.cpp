// SPDX-License-Identifier: Apache-2.0
#include "validate/first_look.hpp"

#include <xxhash.h>

#include <algorithm>

namespace tgmap::checks {

namespace {

using wire::phase;
using wire::settle;

constexpr unsigned version = 3;

/// The flag of the preamble that announces frames of a type; none announces objects.
std::uint16_t announcing(std::uint16_t type) noexcept {
  switch (type) {
    case wire::header_metadata_frame: return wire::header_metadata_flag;
    case wire::header_index_frame: return wire::header_index_flag;
    case wire::header_hash_frame: return wire::header_hashes_flag;
    case wire::footer_hash_frame: return wire::footer_hashes_flag;
    case wire::footer_index_frame: return wire::footer_index_flag;
    case wire::footer_metadata_frame: return wire::footer_metadata_flag;
    case wire::preceder_frame: return wire::preceder_flag;
    default: return 0;
  }
}

class walk {
 public:
  walk(std::span<const std::byte> message, bool digests, message_parts& parts) noexcept
      : bytes_(message), digests_(digests), parts_(parts) {}

  first_look run() noexcept {
    parts_.clear();
    parts_.version = version;
    if (!ends_fit()) return first_look::closer;
    for (std::uint64_t at = wire::preamble_size; at < end_;)
      if (!frame(at)) return room_ ? first_look::closer : first_look::no_room;
    if (!is_as_announced()) return first_look::closer;
    parts_.digests_match = digests_;
    parts_.lists = lists_;
    return first_look::fine;
  }

 private:
  bool ends_fit() noexcept {
    const std::uint64_t size = bytes_.size();
    if (size < wire::least_message(version)) return false;
    end_ = size - wire::postamble_size(version);
    const auto start = wire::parse_preamble(bytes_);
    const auto last = wire::parse_postamble(bytes_.subspan(static_cast<std::size_t>(end_)), version);
    settle();
    if (!start || !last || start->version != version) return false;
    if ((start->total_length != 0 && start->total_length != size) ||
        (last->total_length != 0 && last->total_length != size))
      return false;
    parts_.flags = start->flags;
    parts_.streamed = start->total_length == 0;
    footer_stated_ = last->first_footer_offset;
    return !digests_ || (start->flags & wire::hashes_present_flag) != 0;
  }

  bool frame(std::uint64_t& at) noexcept {
    if (end_ - at < wire::frame_header_size) return false;
    const auto header = wire::parse_frame_header(bytes_.subspan(static_cast<std::size_t>(at), wire::frame_header_size));
    settle();
    if (!header) return false;
    const std::uint64_t length = header->length, least = wire::least_frame(header->type, version);
    if (length < least || length > end_ - at || !is_in_order(header->type, at)) return false;

    const std::byte* const behind = bytes_.data() + at + length;
    const auto slot = wire::load_be<std::uint64_t>(behind - 12);
    settle();
    if (!wire::starts_with({behind - 4, 4}, 0, wire::frame_end_magic)) return false;
    const std::uint64_t body_size = length - least;
    if (digests_ && !digest_matches(header->flags, at + wire::frame_header_size, body_size, slot)) return false;
    if (!(header->type == wire::object_frame ? add_object(*header, at, body_size, slot)
                                             : add(*header, at, body_size, slot)))
      return false;
    return pass_over_alignment(at, length);
  }

  bool is_in_order(std::uint16_t type, std::uint64_t at) noexcept {
    const phase where = wire::phase_of(type, version);
    if (where == phase::unknown || where < phase_) return false;
    if (preceder_pending_ && type != wire::object_frame) return false;
    if (where == phase::footer && phase_ != phase::footer) first_footer_ = at;
    phase_ = where;
    preceder_pending_ = type == wire::preceder_frame;
    observed_ = static_cast<std::uint16_t>(observed_ | announcing(type));
    return true;
  }

  bool digest_matches(std::uint16_t flags, std::uint64_t at, std::uint64_t size, std::uint64_t slot) const noexcept {
    return (flags & wire::hash_present_flag) != 0 &&
           XXH3_64bits(bytes_.data() + at, static_cast<std::size_t>(size)) == slot;
  }

  // Parts are written in place, field by field: one that is copied after it was written in pieces waits for each piece.
  static void fill(frame_part& out, const wire::frame_header& header, std::uint64_t at, std::uint64_t body_size,
                   std::uint64_t slot) noexcept {
    out.type = header.type;
    out.flags = header.flags;
    out.at = at;
    out.length = header.length;
    out.body_at = at + wire::frame_header_size;
    out.body_size = body_size;
    out.slot = slot;
  }

  bool add(const wire::frame_header& header, std::uint64_t at, std::uint64_t body_size, std::uint64_t slot) noexcept {
    frame_part* const out = parts_.frames.room();
    room_ = out != nullptr;
    if (!room_) return false;
    fill(*out, header, at, body_size, slot);
    parts_.frames.take();
    lists_ = lists_ || header.type == wire::header_hash_frame || header.type == wire::footer_hash_frame;
    return true;
  }

  bool add_object(const wire::frame_header& header, std::uint64_t at, std::uint64_t body_size,
                  std::uint64_t slot) noexcept {
    const std::uint64_t body_end = wire::frame_header_size + body_size;
    const auto descriptor = wire::load_be<std::uint64_t>(bytes_.data() + at + header.length - 20);
    settle();
    if ((header.flags & wire::cbor_after_payload_flag) == 0 || descriptor < wire::frame_header_size ||
        descriptor > body_end)
      return false;
    object_part* const out = parts_.objects.room();
    room_ = out != nullptr;
    if (!room_) return false;
    fill(*out, header, at, body_size, slot);
    out->descriptor_at = at + descriptor;
    out->descriptor_size = body_end - descriptor;
    out->region_at = at + wire::frame_header_size;
    out->region_size = descriptor - wire::frame_header_size;
    out->usable = true;
    parts_.objects.take();
    return true;
  }

  bool pass_over_alignment(std::uint64_t& at, std::uint64_t length) const noexcept {
    const std::uint64_t next = std::min(at + wire::align8(length), end_);
    for (std::uint64_t i = at + length; i < next; ++i)
      if (bytes_[static_cast<std::size_t>(i)] != std::byte{0}) return false;
    at = next;
    return true;
  }

  bool is_as_announced() const noexcept {
    constexpr unsigned announced = 0x7f, metadata = wire::header_metadata_flag | wire::footer_metadata_flag;
    return !preceder_pending_ && footer_stated_ == (phase_ == phase::footer ? first_footer_ : end_) &&
           ((parts_.flags ^ observed_) & announced) == 0 && (observed_ & metadata) != 0;
  }

  std::span<const std::byte> bytes_;
  bool digests_;
  message_parts& parts_;
  bool room_ = true;

  std::uint64_t end_ = 0, footer_stated_ = 0, first_footer_ = 0;
  phase phase_ = phase::header;
  std::uint16_t observed_ = 0;
  bool preceder_pending_ = false, lists_ = false;
};

}  // namespace

first_look look_over(std::span<const std::byte> message, bool digests, message_parts& parts) noexcept {
  return walk(message, digests, parts).run();
}

}  // namespace tgmap::checks
