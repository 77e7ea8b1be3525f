// SPDX-License-Identifier: Apache-2.0
#include "validate/structure.hpp"

#include <algorithm>
#include <optional>

#include "validate/cbor_check.hpp"

namespace tgmap::checks {

namespace {

using enum validation_level;

using wire::frame_header_size;
using wire::phase;
using wire::preamble_size;

/// As the reference writes them.
std::string_view name_of(phase of) noexcept {
  return of == phase::header ? "Headers" : of == phase::body ? "DataObjects" : "Footers";
}

struct kind_of_frame {
  std::string_view name;
  std::uint16_t flag;  ///< of the preamble that announces it
};

kind_of_frame kind_of(std::uint16_t of, unsigned version) noexcept {
  switch (of) {
    case wire::header_metadata_frame: return {"HeaderMetadata", wire::header_metadata_flag};
    case wire::header_index_frame: return {"HeaderIndex", wire::header_index_flag};
    case wire::header_hash_frame: return {"HeaderHash", wire::header_hashes_flag};
    case wire::footer_hash_frame: return {"FooterHash", wire::footer_hashes_flag};
    case wire::footer_index_frame: return {"FooterIndex", wire::footer_index_flag};
    case wire::footer_metadata_frame: return {"FooterMetadata", wire::footer_metadata_flag};
    case wire::preceder_frame: return {"PrecederMetadata", wire::preceder_flag};
    default: return {wire::is_object(of, version) ? "NTensorFrame" : "unknown", 0};
  }
}

class structure_check {
 public:
  structure_check(raw_message& raw, int version, const open_options& limits, collector& found, message_parts& parts,
                  failure& why) noexcept
      : raw_(raw), limits_(limits), found_(found), parts_(parts), why_(why) {
    parts_.clear();
    parts_.version = version;
  }

  bool run() {
    if (!read_preamble() || !read_postamble()) return false;
    std::uint64_t at = preamble_size;
    while (at < end_ && !why_)
      if (!step(at)) break;
    if (!why_) conclude();
    return !why_;
  }

 private:
  unsigned version() const noexcept { return static_cast<unsigned>(parts_.version); }
  std::uint64_t postamble_size() const noexcept { return wire::postamble_size(version()); }

  bool read_preamble() {
    if (raw_.size() < preamble_size) {
      found_.error(finding_code::buffer_too_short, structure, {},
                   say("buffer too short for preamble: ", raw_.size(), " < ", preamble_size));
      return false;
    }
    const auto bytes = raw_.look(0, preamble_size, why_);
    if (why_) return false;
    if (!wire::starts_with(bytes, 0, wire::message_magic)) {
      found_.error(finding_code::invalid_magic, structure, {}, "invalid magic bytes: expected TENSOGRM");
      return false;
    }
    if (const auto version = wire::load_be<std::uint16_t>(bytes, 8); version != parts_.version) {
      found_.error(finding_code::preamble_parse_failed, structure, {}, say("preamble parse failed: version ", version));
      return false;
    }
    parts_.flags = wire::load_be<std::uint16_t>(bytes, 10);
    stated_ = wire::load_be<std::uint64_t>(bytes, 16);
    parts_.streamed = stated_ == 0;
    if (stated_ > raw_.size()) {
      found_.error(finding_code::total_length_exceeds_buffer, structure, {.at = 16},
                   say("total_length ", stated_, " exceeds buffer size ", raw_.size()));
      return false;
    }
    const std::uint64_t least = preamble_size + postamble_size();
    if (raw_.size() < least || (stated_ != 0 && stated_ < least)) {
      found_.error(finding_code::total_length_too_small, structure, {.at = 16},
                   say("total_length ", stated_, " is smaller than minimum message size ", least));
      return false;
    }
    return true;
  }

  bool read_postamble() {
    end_ = (stated_ != 0 ? stated_ : raw_.size()) - postamble_size();
    const auto bytes = raw_.look(end_, static_cast<std::size_t>(postamble_size()), why_);
    if (why_) return false;
    if (!wire::starts_with(bytes, bytes.size() - 8, wire::end_magic)) {
      found_.error(finding_code::postamble_invalid, structure, {.at = end_},
                   stated_ != 0 ? "postamble invalid: its end magic is missing"
                                : "missing or invalid postamble in streaming message");
      return false;
    }
    footer_stated_ = wire::load_be<std::uint64_t>(bytes, 0);
    if (footer_stated_ < preamble_size || footer_stated_ > end_)
      found_.error(finding_code::footer_offset_out_of_range, structure, {.at = end_},
                   say("first_footer_offset ", footer_stated_, " out of range [", preamble_size, ", ", end_, "]"));
    const std::uint64_t mirror = parts_.version == 2 ? 0 : wire::load_be<std::uint64_t>(bytes, 8);
    if (mirror != 0 && mirror != raw_.size())
      found_.error(finding_code::length_mismatch, structure, {.at = end_ + 8},
                   say("postamble states a length of ", mirror, ", the message has ", raw_.size()));
    return true;
  }

  /// One frame, or the padding before it. False: nothing behind it can be walked to.
  bool step(std::uint64_t& at) {
    // The end of the message is behind: a frame's first bytes can always be looked at.
    const auto bytes = raw_.look(at, 2, why_);
    if (why_) return false;
    return wire::starts_with(bytes, 0, wire::frame_magic) ? frame(at) : pass_over_padding(at);
  }

  /// Readers look for the next frame byte by byte; writers leave up to seven zeros.
  bool pass_over_padding(std::uint64_t& at) {
    const std::uint64_t from = at;
    if (from == preamble_size) {
      found_.error(finding_code::invalid_frame_header, structure, {.at = at}, say("no frame begins at offset ", at));
      return false;
    }
    bool zeros = true;
    for (; at < end_; ++at) {
      const auto bytes = raw_.look(at, 2, why_);
      if (why_) return false;
      if (wire::starts_with(bytes, 0, wire::frame_magic)) break;
      zeros = zeros && bytes[0] == std::byte{0};
      if (at - from > limits_.max_padding) {
        found_.error(finding_code::padding_too_long, structure, {.at = from},
                     say("no frame within ", limits_.max_padding, " bytes of padding at offset ", from));
        return false;
      }
    }
    if (!zeros)
      found_.warning(finding_code::non_zero_padding, structure, {.at = from},
                     say("unexpected non-zero padding bytes at offset ", from));
    return true;
  }

  bool fail(finding_code code, std::uint64_t at, std::string text) {
    found_.error(code, structure, {.at = at}, std::move(text));
    return false;
  }

  bool frame(std::uint64_t& at) {
    if (end_ - at < frame_header_size)
      return fail(finding_code::truncated_frame_header, at, say("truncated frame header at offset ", at));
    const auto header = raw_.look(at, frame_header_size, why_);
    if (why_) return false;
    frame_part part{.type = wire::load_be<std::uint16_t>(header, 2),
                    .flags = wire::load_be<std::uint16_t>(header, 6),
                    .at = at,
                    .length = wire::load_be<std::uint64_t>(header, 8)};
    const kind_of_frame kind = kind_of(part.type, version());
    const phase where = wire::phase_of(part.type, version());
    if (where == phase::unknown)
      found_.error(finding_code::invalid_frame_header, structure, {.at = at},
                   say("invalid frame header at offset ", at, ": unknown frame type ", part.type));
    const bool object = wire::is_object(part.type, version());
    const std::uint64_t tail = wire::tail_size(part.type, version()), least = frame_header_size + tail;
    if (part.length < least)
      return fail(finding_code::frame_too_small, at,
                  say("frame at offset ", at, " total_length ", part.length, " < minimum ", least));
    if (part.length > end_ - at)
      return fail(finding_code::frame_exceeds_message, at,
                  say("frame at offset ", at, " extends into postamble (frame_end=", at + part.length,
                      ", postamble_start=", end_, ")"));
    const std::uint64_t end = at + part.length;
    const auto last = raw_.look(end - tail, static_cast<std::size_t>(tail), why_);
    if (why_) return false;
    if (!wire::starts_with(last, last.size() - 4, wire::frame_end_magic))
      return fail(finding_code::missing_end_marker, end - 4,
                  say("missing ENDF marker at offset ", end - 4, " for frame starting at ", at));
    part.body_at = at + frame_header_size;
    part.body_size = part.length - least;
    if (version() == 3) part.slot = wire::load_be<std::uint64_t>(last, last.size() - 12);
    hold_order(part, kind, where);
    if (object)
      add_object(part, wire::load_be<std::uint64_t>(last, 0));
    else if (where != phase::unknown)
      add_frame(part);
    return pass_over_alignment(at, part.length);
  }

  void hold_order(const frame_part& part, const kind_of_frame& kind, phase where) {
    if (where != phase::unknown && where < phase_)
      found_.error(
          finding_code::frame_order_violation, structure, {.at = part.at},
          say("frame ", kind.name, " at offset ", part.at, " appears after ", name_of(phase_), " phase — wrong order"));
    if (where == phase::footer && !first_footer_) first_footer_ = part.at;
    if (where != phase::unknown) phase_ = std::max(phase_, where);
    if (preceder_pending_ && !wire::is_object(part.type, version()))
      found_.error(
          finding_code::preceder_not_followed_by_object, structure, {.at = part.at},
          say("PrecederMetadata must be followed by a data-object frame, got ", kind.name, " at offset ", part.at));
    preceder_pending_ = part.type == wire::preceder_frame;
    observed_ = static_cast<std::uint16_t>(observed_ | kind.flag);
  }

  void add_frame(const frame_part& part) {
    parts_.lists = parts_.lists || part.type == wire::header_hash_frame || part.type == wire::footer_hash_frame;
    parts_.frames.add(part);
  }

  void add_object(const frame_part& part, std::uint64_t descriptor) {
    const optional_index number = parts_.objects.size();
    parts_.objects.add({});
    object_part& object = parts_.objects.back();
    static_cast<frame_part&>(object) = part;
    const std::uint64_t body_end = frame_header_size + part.body_size;
    const bool after = (part.flags & wire::cbor_after_payload_flag) != 0;
    // A descriptor that comes first must be first: no digest covers the flag that says so.
    if (descriptor < frame_header_size || descriptor > body_end || (!after && descriptor != frame_header_size)) {
      found_.error(finding_code::cbor_offset_invalid, structure, {part.at, number},
                   say("data object cbor_offset ", descriptor, " out of range at offset ", part.at));
      return;
    }
    object.descriptor_at = part.at + descriptor;
    object.descriptor_size = body_end - descriptor;
    object.region_at = part.body_at;
    object.region_size = descriptor - frame_header_size;
    object.usable = after || find_region(object, number);
  }

  /// A descriptor before the payload ends where its one item ends.
  bool find_region(object_part& object, optional_index number) {
    const std::uint64_t all = object.descriptor_size, most = std::min(all, limits_.max_metadata_bytes);
    for (std::uint64_t n = std::min<std::uint64_t>(most, 512);; n = std::min(most, n * 8)) {
      const auto bytes = raw_.load(object.descriptor_at, n, why_);
      if (why_) return false;
      const cbor_report report = check_cbor(bytes, limits_.max_cbor_depth, false);
      if (report.state == cbor_state::sound) {
        object.descriptor_size = report.size;
        object.region_at = object.descriptor_at + report.size;
        object.region_size = all - report.size;
        return true;
      }
      if (report.state == cbor_state::cut && n < most) continue;
      found_.error(finding_code::cbor_before_boundary_unknown, structure, {object.at, number},
                   "CBOR-before descriptor parse failed, cannot determine payload boundary");
      return false;
    }
  }

  /// Frames are aligned from the start of the one before.
  bool pass_over_alignment(std::uint64_t& at, std::uint64_t length) {
    const std::uint64_t frame_end = at + length;
    const std::uint64_t next = std::min(at + ((length + 7) & ~std::uint64_t{7}), end_);
    const auto bytes = raw_.look(frame_end, static_cast<std::size_t>(next - frame_end), why_);
    if (why_) return false;
    if (std::any_of(bytes.begin(), bytes.end(), [](std::byte b) { return b != std::byte{0}; }))
      found_.warning(finding_code::non_zero_padding, structure, {.at = frame_end},
                     say("non-zero alignment padding after frame at offset ", frame_end));
    at = next;
    return true;
  }

  void conclude() {
    if (preceder_pending_)
      found_.error(finding_code::dangling_preceder, structure, {},
                   "dangling PrecederMetadata: no DataObject frame followed");
    if (const std::uint64_t footer = first_footer_.value_or(end_); footer_stated_ != footer)
      found_.warning(
          finding_code::footer_offset_mismatch, structure, {.at = end_},
          say("first_footer_offset ", footer_stated_, " does not match actual first footer position ", footer));
    static constexpr std::string_view names[] = {"HEADER_METADATA",  "FOOTER_METADATA", "HEADER_INDEX",
                                                 "FOOTER_INDEX",     "HEADER_HASHES",   "FOOTER_HASHES",
                                                 "PRECEDER_METADATA"};
    for (unsigned bit = 0; bit < std::size(names); ++bit)
      if (((parts_.flags ^ observed_) >> bit & 1) != 0)
        found_.warning(finding_code::flag_mismatch, structure, {.at = 10},
                       say(names[bit], " flag mismatch: declared vs observed"));
    if ((observed_ & (wire::header_metadata_flag | wire::footer_metadata_flag)) == 0)
      found_.error(finding_code::no_metadata_frame, structure, {},
                   "no metadata frame found (neither header nor footer)");
  }

  raw_message& raw_;
  const open_options& limits_;
  collector& found_;
  message_parts& parts_;
  failure& why_;

  std::uint64_t stated_ = 0, footer_stated_ = 0, end_ = 0;
  phase phase_ = phase::header;
  std::uint16_t observed_ = 0;
  bool preceder_pending_ = false;
  std::optional<std::uint64_t> first_footer_;
};

}  // namespace

bool check_structure(raw_message& raw, int version, const open_options& limits, collector& found, message_parts& parts,
                     failure& why) {
  return structure_check(raw, version, limits, found, parts, why).run();
}

}  // namespace tgmap::checks
