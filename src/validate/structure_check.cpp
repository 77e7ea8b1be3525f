// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "validate/cbor/cbor_check.hpp"
#include "validate/level_checks.hpp"

namespace tgmap::validation {

namespace {

using enum validation_level;

using wire::frame_header_size;
using wire::phase;
using wire::preamble_size;

// Names of phases and frames are those of the reference implementation.

std::string_view phase_name(phase which) noexcept {
  return which == phase::header ? "Headers" : which == phase::body ? "DataObjects" : "Footers";
}

std::string_view frame_name(std::uint16_t type, unsigned version) noexcept {
  switch (type) {
    case wire::header_metadata_frame: return "HeaderMetadata";
    case wire::header_index_frame: return "HeaderIndex";
    case wire::header_hash_frame: return "HeaderHash";
    case wire::footer_hash_frame: return "FooterHash";
    case wire::footer_index_frame: return "FooterIndex";
    case wire::footer_metadata_frame: return "FooterMetadata";
    case wire::preceder_frame: return "PrecederMetadata";
    default: return wire::is_object(type, version) ? "NTensorFrame" : "unknown";
  }
}

class structure_check {
 public:
  structure_check(message_bytes& source, int version, const open_options& limits, message_findings& findings,
                  message_parts& parts, failure& why) noexcept
      : source_(source), limits_(limits), findings_(findings), parts_(parts), why_(why) {
    parts_.clear();
    parts_.version = version;
  }

  bool run() {
    if (!read_preamble() || !read_postamble()) return false;
    std::uint64_t at = preamble_size;
    while (at < end_ && !why_)
      if (!step(at)) break;
    if (!why_) check_totals();
    return !why_;
  }

 private:
  unsigned version() const noexcept { return static_cast<unsigned>(parts_.version); }
  std::uint64_t postamble_size() const noexcept { return wire::postamble_size(version()); }

  /// Reports an error that ends the walk.
  bool fail(finding_code code, std::uint64_t at, std::string text) {
    findings_.error(code, structure, {.offset = at}, std::move(text));
    return false;
  }

  bool read_preamble() {
    if (source_.size() < preamble_size) {
      return fail(finding_code::buffer_too_short, 0,
                  concat("buffer too short for preamble: ", source_.size(), " < ", preamble_size));
    }
    const auto bytes = source_.peek(0, preamble_size, why_);
    if (why_) return false;
    if (!wire::starts_with(bytes, 0, wire::message_magic)) {
      return fail(finding_code::invalid_magic, 0, "invalid magic bytes: expected TENSOGRM");
    }
    if (const auto version = wire::load_be<std::uint16_t>(bytes, 8); version != parts_.version) {
      return fail(finding_code::preamble_parse_failed, 0, concat("preamble parse failed: version ", version));
    }
    parts_.flags = wire::load_be<std::uint16_t>(bytes, 10);
    stated_length_ = wire::load_be<std::uint64_t>(bytes, 16);
    parts_.is_streamed = stated_length_ == 0;
    if (stated_length_ > source_.size()) {
      return fail(finding_code::total_length_exceeds_buffer, 16,
                  concat("total_length ", stated_length_, " exceeds buffer size ", source_.size()));
    }
    const std::uint64_t min_size = preamble_size + postamble_size();
    if (source_.size() < min_size || (stated_length_ != 0 && stated_length_ < min_size)) {
      return fail(finding_code::total_length_too_small, 16,
                  concat("total_length ", stated_length_, " is smaller than minimum message size ", min_size));
    }
    return true;
  }

  bool read_postamble() {
    end_ = wire::frames_end(stated_length_ != 0 ? stated_length_ : source_.size(), version());
    const auto bytes = source_.peek(end_, static_cast<std::size_t>(postamble_size()), why_);
    if (why_) return false;
    if (!wire::starts_with(bytes, bytes.size() - 8, wire::end_magic)) {
      return fail(finding_code::postamble_invalid, end_,
                  stated_length_ != 0 ? "postamble invalid: its end magic is missing"
                                      : "missing or invalid postamble in streaming message");
    }
    stated_footer_ = wire::load_be<std::uint64_t>(bytes, 0);
    if (!wire::is_footer_offset(stated_footer_, end_))
      findings_.error(
          finding_code::footer_offset_out_of_range, structure, {.offset = end_},
          concat("first_footer_offset ", stated_footer_, " out of range [", preamble_size, ", ", end_, "]"));
    const std::uint64_t stated_again = parts_.version == 2 ? 0 : wire::load_be<std::uint64_t>(bytes, 8);
    if (!wire::agrees_with_length(stated_again, source_.size()))
      findings_.error(finding_code::length_mismatch, structure, {.offset = end_ + 8},
                      concat("postamble states a length of ", stated_again, ", the message has ", source_.size()));
    return true;
  }

  /// Checks one frame, or the padding before it, and moves `at` to its end. Returns false if the walk cannot go on.
  bool step(std::uint64_t& at) {
    // The postamble follows, so two bytes are always there.
    const auto bytes = source_.peek(at, 2, why_);
    if (why_) return false;
    return wire::starts_with(bytes, 0, wire::frame_magic) ? check_frame(at) : skip_padding(at);
  }

  /// Searches the next frame byte by byte, as readers do. Writers leave up to seven zeros.
  bool skip_padding(std::uint64_t& at) {
    const std::uint64_t from = at;
    if (from == preamble_size) {
      return fail(finding_code::invalid_frame_header, at, concat("no frame begins at offset ", at));
    }
    bool is_zeros = true;
    for (; at < end_; ++at) {
      const auto bytes = source_.peek(at, 2, why_);
      if (why_) return false;
      if (wire::starts_with(bytes, 0, wire::frame_magic)) break;
      is_zeros = is_zeros && bytes[0] == std::byte{0};
      if (at - from > limits_.max_padding) {
        return fail(finding_code::padding_too_long, from,
                    concat("no frame within ", limits_.max_padding, " bytes of padding at offset ", from));
      }
    }
    if (!is_zeros)
      findings_.warning(finding_code::non_zero_padding, structure, {.offset = from},
                        concat("unexpected non-zero padding bytes at offset ", from));
    return true;
  }

  bool check_frame(std::uint64_t& at) {
    if (end_ - at < frame_header_size)
      return fail(finding_code::truncated_frame_header, at, concat("truncated frame header at offset ", at));
    const auto header = source_.peek(at, frame_header_size, why_);
    if (why_) return false;
    frame_part part{.type = wire::load_be<std::uint16_t>(header, 2),
                    .flags = wire::load_be<std::uint16_t>(header, 6),
                    .offset = at,
                    .length = wire::load_be<std::uint64_t>(header, 8)};
    const phase frame_phase = wire::phase_of(part.type, version());
    if (frame_phase == phase::unknown)
      findings_.error(finding_code::invalid_frame_header, structure, {.offset = at},
                      concat("invalid frame header at offset ", at, ": unknown frame type ", part.type));
    const bool is_object = wire::is_object(part.type, version());
    const std::uint64_t tail = wire::tail_size(part.type, version()), min_length = frame_header_size + tail;
    if (part.length < min_length)
      return fail(finding_code::frame_too_small, at,
                  concat("frame at offset ", at, " total_length ", part.length, " < minimum ", min_length));
    if (part.length > end_ - at)
      return fail(finding_code::frame_exceeds_message, at,
                  concat("frame at offset ", at, " extends into postamble (frame_end=", at + part.length,
                         ", postamble_start=", end_, ")"));
    const std::uint64_t end = at + part.length;
    const auto last = source_.peek(end - tail, static_cast<std::size_t>(tail), why_);
    if (why_) return false;
    if (!wire::starts_with(last, last.size() - 4, wire::frame_end_magic))
      return fail(finding_code::missing_end_marker, end - 4,
                  concat("missing ENDF marker at offset ", end - 4, " for frame starting at ", at));
    part.body_offset = at + frame_header_size;
    part.body_size = wire::body_size(part.length, part.type, version());
    if (version() == 3) part.hash_slot = wire::load_be<std::uint64_t>(last, last.size() - 12);
    check_order(part, frame_phase);
    if (is_object)
      add_object(part, wire::load_be<std::uint64_t>(last, 0));
    else if (frame_phase != phase::unknown)
      add_frame(part);
    return skip_alignment(at, part.length);
  }

  void check_order(const frame_part& part, phase frame_phase) {
    const std::string_view name = frame_name(part.type, version());
    if (order_.goes_back(frame_phase))
      findings_.error(finding_code::frame_order_violation, structure, {.offset = part.offset},
                      concat("frame ", name, " at offset ", part.offset, " appears after ",
                             phase_name(order_.reached()), " phase — wrong order"));
    if (frame_phase == phase::footer && !first_footer_) first_footer_ = part.offset;
    if (order_.lacks_object(part.type, version()))
      findings_.error(
          finding_code::preceder_not_followed_by_object, structure, {.offset = part.offset},
          concat("PrecederMetadata must be followed by a data-object frame, got ", name, " at offset ", part.offset));
    order_.add(part.type, frame_phase);
    if (!order_.is_after_preceder() && (observed_flags_ & preamble_flag(part.type)) != 0)
      report_repeated(part.type, part.offset);
    observed_flags_ = static_cast<std::uint16_t>(observed_flags_ | preamble_flag(part.type));
  }

  /// Two frames of metadata are an error: some readers take the first one, others the last one. Frames of indexes and
  /// hashes are all compared with the objects, so a second one only wastes space.
  void report_repeated(std::uint16_t type, std::uint64_t at) {
    const bool is_metadata = type == wire::header_metadata_frame || type == wire::footer_metadata_frame;
    std::string text = concat("a further ", frame_name(type, version()), " frame at offset ", at,
                              is_metadata ? "; programs differ in the one that they take" : "; one is enough");
    if (is_metadata)
      findings_.error(finding_code::repeated_frame, structure, {.offset = at}, std::move(text));
    else
      findings_.warning(finding_code::repeated_frame, structure, {.offset = at}, std::move(text));
  }

  void add_frame(const frame_part& part) {
    parts_.has_hash_lists =
        parts_.has_hash_lists || part.type == wire::header_hash_frame || part.type == wire::footer_hash_frame;
    parts_.frames.push_back(part);
  }

  void add_object(const frame_part& part, std::uint64_t descriptor) {
    const optional_index number = parts_.objects.size();
    object_part& object = parts_.objects.push_back({});
    static_cast<frame_part&>(object) = part;
    const std::uint64_t body_end = frame_header_size + part.body_size;
    if (!wire::is_descriptor_offset(descriptor, part.flags, body_end)) {
      findings_.error(finding_code::cbor_offset_invalid, structure, {part.offset, number},
                      concat("data object cbor_offset ", descriptor, " out of range at offset ", part.offset));
      return;
    }
    object.descriptor_offset = part.offset + descriptor;
    object.descriptor_size = body_end - descriptor;
    object.region_offset = part.body_offset;
    object.region_size = descriptor - frame_header_size;
    object.is_usable = (part.flags & wire::cbor_after_payload_flag) != 0 || find_region(object, number);
  }

  /// Finds the payload after a descriptor that comes first. It begins at the end of the CBOR item.
  bool find_region(object_part& object, optional_index number) {
    const std::uint64_t body = object.descriptor_size, max_size = std::min(body, limits_.max_metadata_bytes);
    for (std::uint64_t n = std::min<std::uint64_t>(max_size, 512);; n = std::min(max_size, n * 8)) {
      const auto bytes = source_.load(object.descriptor_offset, n, why_);
      if (why_) return false;
      const cbor_report report = check_cbor(bytes, limits_.max_cbor_depth, false);
      if (report.state == cbor_state::sound) {
        object.descriptor_size = report.size;
        object.region_offset = object.descriptor_offset + report.size;
        object.region_size = body - report.size;
        return true;
      }
      if (report.state == cbor_state::truncated && n < max_size) continue;
      findings_.error(finding_code::cbor_before_boundary_unknown, structure, {object.offset, number},
                      "CBOR-before descriptor parse failed, cannot determine payload boundary");
      return false;
    }
  }

  /// Checks the padding that aligns the next frame, counted from the begin of this one.
  bool skip_alignment(std::uint64_t& at, std::uint64_t length) {
    const std::uint64_t frame_end = at + length;
    const std::uint64_t next = std::min(wire::next_frame(at, length), end_);
    const auto bytes = source_.peek(frame_end, static_cast<std::size_t>(next - frame_end), why_);
    if (why_) return false;
    if (std::any_of(bytes.begin(), bytes.end(), [](std::byte b) { return b != std::byte{0}; }))
      findings_.warning(finding_code::non_zero_padding, structure, {.offset = frame_end},
                        concat("non-zero alignment padding after frame at offset ", frame_end));
    at = next;
    return true;
  }

  void check_totals() {
    if (order_.is_after_preceder())
      findings_.error(finding_code::dangling_preceder, structure, {},
                      "dangling PrecederMetadata: no DataObject frame followed");
    if (const std::uint64_t footer = first_footer_.value_or(end_); stated_footer_ != footer)
      findings_.warning(
          finding_code::footer_offset_mismatch, structure, {.offset = end_},
          concat("first_footer_offset ", stated_footer_, " does not match actual first footer position ", footer));
    static constexpr std::string_view names[] = {"HEADER_METADATA",  "FOOTER_METADATA", "HEADER_INDEX",
                                                 "FOOTER_INDEX",     "HEADER_HASHES",   "FOOTER_HASHES",
                                                 "PRECEDER_METADATA"};
    for (unsigned bit = 0; bit < std::size(names); ++bit)
      if (((parts_.flags ^ observed_flags_) >> bit & 1) != 0)
        findings_.warning(finding_code::flag_mismatch, structure, {.offset = 10},
                          concat(names[bit], " flag mismatch: declared vs observed"));
    if ((observed_flags_ & (wire::header_metadata_flag | wire::footer_metadata_flag)) == 0)
      findings_.error(finding_code::no_metadata_frame, structure, {},
                      "no metadata frame found (neither header nor footer)");
  }

  message_bytes& source_;
  const open_options& limits_;
  message_findings& findings_;
  message_parts& parts_;
  failure& why_;

  std::uint64_t stated_length_ = 0, stated_footer_ = 0, end_ = 0;
  wire::frame_order order_{};
  std::uint16_t observed_flags_ = 0;
  std::optional<std::uint64_t> first_footer_;
};

}  // namespace

bool check_structure(message_bytes& source, int version, const open_options& limits, message_findings& findings,
                     message_parts& parts, failure& why) {
  return structure_check(source, version, limits, findings, parts, why).run();
}

}  // namespace tgmap::validation
