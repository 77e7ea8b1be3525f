// SPDX-License-Identifier: Apache-2.0
#include "validate/findings.hpp"

#include <tgmap/enum_names.hpp>

#include "core/text/enum_table.hpp"
#include "core/text/hex.hpp"

namespace tgmap {
inline namespace v0 {

TGMAP_ENUM_NAMES(finding_code, 0, "buffer_too_short", "invalid_magic", "preamble_parse_failed", "total_length_overflow",
                 "total_length_exceeds_buffer", "total_length_too_small", "postamble_invalid",
                 "footer_offset_out_of_range", "footer_offset_mismatch", "truncated_frame_header",
                 "invalid_frame_header", "frame_length_overflow", "frame_too_small", "frame_exceeds_message",
                 "missing_end_marker", "frame_order_violation", "preceder_not_followed_by_object", "dangling_preceder",
                 "cbor_offset_invalid", "cbor_before_boundary_unknown", "non_zero_padding", "flag_mismatch",
                 "no_metadata_frame", "metadata_cbor_parse_failed", "metadata_cbor_non_canonical",
                 "index_cbor_parse_failed", "index_count_mismatch", "index_offset_mismatch",
                 "hash_frame_cbor_parse_failed", "hash_frame_count_mismatch", "preceder_cbor_parse_failed",
                 "preceder_cbor_non_canonical", "preceder_base_count_wrong", "base_count_exceeds_objects",
                 "descriptor_cbor_parse_failed", "descriptor_cbor_non_canonical", "ndim_shape_mismatch",
                 "strides_shape_mismatch", "shape_overflow", "unknown_encoding", "unknown_filter",
                 "unknown_compression", "empty_obj_type", "reserved_not_a_map", "reserved_missing_tensor",
                 "hash_mismatch", "hash_verification_error", "unknown_hash_algorithm", "no_hash_available",
                 "decode_pipeline_failed", "pipeline_config_failed", "decode_object_failed", "decoded_size_mismatch",
                 "nan_detected", "inf_detected", "unrecognized_bytes", "trailing_bytes", "version_1", "length_mismatch",
                 "padding_too_long", "index_length_mismatch", "index_non_canonical", "mask_out_of_range",
                 "wrong_block_offsets", "limit_exceeded", "not_decoded", "too_many_findings", "duplicate_key",
                 "unreadable", "strides_in_bytes", "repeated_frame")
static_assert(finding_code_names.size() == static_cast<std::size_t>(finding_code::repeated_frame) + 1);
TGMAP_ENUM_NAMES(severity, 0, "error", "warning", "note")
TGMAP_ENUM_NAMES(validation_level, 0, "structure", "metadata", "integrity", "fidelity")
TGMAP_ENUM_NAMES(validation_mode, 0, "quick", "standard", "checksum", "full")

}  // namespace v0
}  // namespace tgmap

namespace tgmap::validation {

std::string hash_text(std::uint64_t hash) { return core::hex_text(hash); }

void message_findings::add(finding_code code, validation_level level, severity weight, location where,
                           std::string&& text) {
  if (out_->size() - begin_ >= limit_) {
    ++left_out_;
    return;
  }
  out_->push_back({.code = code,
                   .level = level,
                   .severity = weight,
                   .offset = offset_ + where.offset,
                   .message = message_,
                   .object = where.object,
                   .text = std::move(text)});
}

void message_findings::finish() {
  if (left_out_ == 0) return;
  ++limit_;
  add(finding_code::too_many_findings, validation_level::structure, severity::note, {},
      concat(left_out_, " further findings of this message"));
}

}  // namespace tgmap::validation
