// SPDX-License-Identifier: Apache-2.0
#include "validate/fast_structure_check.hpp"

#include <xxhash.h>

#include <algorithm>

namespace tgmap::validation {

namespace {

using wire::phase;
using wire::prevent_reload;

constexpr unsigned version = 3;

class fast_walk {
 public:
  fast_walk(std::span<const std::byte> message, bool compare_hashes, message_parts& parts) noexcept
      : bytes_(message), compare_hashes_(compare_hashes), parts_(parts) {}

  fast_result run() noexcept {
    parts_.clear();
    parts_.version = version;
    if (!read_ends()) return fast_result::undecided;
    for (std::uint64_t at = wire::preamble_size; at < end_;)
      if (!read_frame(at)) return has_room_ ? fast_result::undecided : fast_result::no_room;
    if (!agrees_with_preamble()) return fast_result::undecided;
    parts_.hashes_match = compare_hashes_;
    return fast_result::sound;
  }

 private:
  bool read_ends() noexcept {
    const std::uint64_t size = bytes_.size();
    if (size < wire::min_message_size(version)) return false;
    end_ = wire::frames_end(size, version);
    const auto start = wire::parse_preamble(bytes_);
    const auto last = wire::parse_postamble(bytes_.subspan(static_cast<std::size_t>(end_)), version);
    prevent_reload();
    if (!start || !last || start->version != version) return false;
    if (!wire::agrees_with_length(start->total_length, size) || !wire::agrees_with_length(last->total_length, size))
      return false;
    parts_.flags = start->flags;
    parts_.is_streamed = start->total_length == 0;
    stated_footer_ = last->first_footer_offset;
    return !compare_hashes_ || (start->flags & wire::hashes_present_flag) != 0;
  }

  bool read_frame(std::uint64_t& at) noexcept {
    if (end_ - at < wire::frame_header_size) return false;
    const auto header = wire::parse_frame_header(bytes_.subspan(static_cast<std::size_t>(at), wire::frame_header_size));
    prevent_reload();
    if (!header) return false;
    const std::uint64_t length = header->length;
    if (!wire::is_frame_length(length, header->type, version, end_ - at) || !is_in_order(header->type, at))
      return false;

    const std::byte* const frame_end = bytes_.data() + at + length;
    const auto hash_slot = wire::load_be<std::uint64_t>(frame_end - 12);
    prevent_reload();
    if (!wire::starts_with({frame_end - 4, 4}, 0, wire::frame_end_magic)) return false;
    const std::uint64_t body_size = wire::body_size(length, header->type, version);
    if (compare_hashes_ && !hash_matches(header->flags, at + wire::frame_header_size, body_size, hash_slot))
      return false;
    if (!(header->type == wire::object_frame ? add_object(*header, at, body_size, hash_slot)
                                             : add_frame(*header, at, body_size, hash_slot)))
      return false;
    return skip_alignment(at, length);
  }

  bool is_in_order(std::uint16_t type, std::uint64_t at) noexcept {
    const phase frame_phase = wire::phase_of(type, version);
    if (frame_phase == phase::unknown || order_.goes_back(frame_phase) || order_.lacks_object(type, version))
      return false;
    if (frame_phase == phase::footer && order_.reached() != phase::footer) first_footer_ = at;
    order_.add(type, frame_phase);
    if (!order_.is_after_preceder() && (observed_flags_ & preamble_flag(type)) != 0) return false;  // a repeated frame
    observed_flags_ = static_cast<std::uint16_t>(observed_flags_ | preamble_flag(type));
    return true;
  }

  bool hash_matches(std::uint16_t flags, std::uint64_t at, std::uint64_t size, std::uint64_t hash_slot) const noexcept {
    return (flags & wire::hash_present_flag) != 0 &&
           XXH3_64bits(bytes_.data() + at, static_cast<std::size_t>(size)) == hash_slot;
  }

  // Parts are written in place: a copy right after the fields were written would wait for each of them.
  static void fill(frame_part& out, const wire::frame_header& header, std::uint64_t at, std::uint64_t body_size,
                   std::uint64_t hash_slot) noexcept {
    out.type = header.type;
    out.flags = header.flags;
    out.offset = at;
    out.length = header.length;
    out.body_offset = at + wire::frame_header_size;
    out.body_size = body_size;
    out.hash_slot = hash_slot;
  }

  bool add_frame(const wire::frame_header& header, std::uint64_t at, std::uint64_t body_size,
                 std::uint64_t hash_slot) noexcept {
    frame_part* const out = parts_.frames.slot();
    has_room_ = out != nullptr;
    if (!has_room_) return false;
    fill(*out, header, at, body_size, hash_slot);
    parts_.frames.add_slot();
    parts_.has_hash_lists =
        parts_.has_hash_lists || header.type == wire::header_hash_frame || header.type == wire::footer_hash_frame;
    return true;
  }

  bool add_object(const wire::frame_header& header, std::uint64_t at, std::uint64_t body_size,
                  std::uint64_t hash_slot) noexcept {
    const std::uint64_t body_end = wire::frame_header_size + body_size;
    const auto descriptor = wire::load_be<std::uint64_t>(bytes_.data() + at + header.length - 20);
    prevent_reload();
    if ((header.flags & wire::cbor_after_payload_flag) == 0 ||
        !wire::is_descriptor_offset(descriptor, header.flags, body_end))
      return false;
    object_part* const out = parts_.objects.slot();
    has_room_ = out != nullptr;
    if (!has_room_) return false;
    fill(*out, header, at, body_size, hash_slot);
    out->descriptor_offset = at + descriptor;
    out->descriptor_size = body_end - descriptor;
    out->region_offset = at + wire::frame_header_size;
    out->region_size = descriptor - wire::frame_header_size;
    out->is_usable = true;
    parts_.objects.add_slot();
    return true;
  }

  bool skip_alignment(std::uint64_t& at, std::uint64_t length) const noexcept {
    const std::uint64_t next = std::min(wire::next_frame(at, length), end_);
    for (std::uint64_t i = at + length; i < next; ++i)
      if (bytes_[static_cast<std::size_t>(i)] != std::byte{0}) return false;
    at = next;
    return true;
  }

  bool agrees_with_preamble() const noexcept {
    constexpr unsigned frame_flags = 0x7f, metadata = wire::header_metadata_flag | wire::footer_metadata_flag;
    return !order_.is_after_preceder() &&
           stated_footer_ == (order_.reached() == phase::footer ? first_footer_ : end_) &&
           ((parts_.flags ^ observed_flags_) & frame_flags) == 0 && (observed_flags_ & metadata) != 0;
  }

  std::span<const std::byte> bytes_;
  bool compare_hashes_;
  message_parts& parts_;
  bool has_room_ = true;

  std::uint64_t end_ = 0, stated_footer_ = 0, first_footer_ = 0;
  wire::frame_order order_{};
  std::uint16_t observed_flags_ = 0;
};

}  // namespace

fast_result fast_check_structure(std::span<const std::byte> message, bool compare_hashes,
                                 message_parts& parts) noexcept {
  return fast_walk(message, compare_hashes, parts).run();
}

}  // namespace tgmap::validation
