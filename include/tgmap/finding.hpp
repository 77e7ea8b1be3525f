// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tgmap/error.hpp>
#include <tgmap/export.hpp>

namespace tgmap {
inline namespace v0 {

/// What a finding is about. Names, and codes up to `inf_detected`, are those of the reference implementation.
enum class finding_code : std::uint8_t {
  // structure
  buffer_too_short,
  invalid_magic,
  preamble_parse_failed,
  total_length_overflow,
  total_length_exceeds_buffer,
  total_length_too_small,
  postamble_invalid,
  footer_offset_out_of_range,
  footer_offset_mismatch,
  truncated_frame_header,
  invalid_frame_header,
  frame_length_overflow,
  frame_too_small,
  frame_exceeds_message,
  missing_end_marker,
  frame_order_violation,
  preceder_not_followed_by_object,
  dangling_preceder,
  cbor_offset_invalid,
  cbor_before_boundary_unknown,
  non_zero_padding,
  flag_mismatch,
  no_metadata_frame,
  // metadata
  metadata_cbor_parse_failed,
  metadata_cbor_non_canonical,
  index_cbor_parse_failed,
  index_count_mismatch,
  index_offset_mismatch,
  hash_frame_cbor_parse_failed,
  hash_frame_count_mismatch,
  preceder_cbor_parse_failed,
  preceder_cbor_non_canonical,
  preceder_base_count_wrong,
  base_count_exceeds_objects,
  descriptor_cbor_parse_failed,
  descriptor_cbor_non_canonical,
  ndim_shape_mismatch,
  strides_shape_mismatch,
  shape_overflow,
  unknown_encoding,
  unknown_filter,
  unknown_compression,
  empty_obj_type,
  reserved_not_a_map,
  reserved_missing_tensor,
  // integrity
  hash_mismatch,
  hash_verification_error,
  unknown_hash_algorithm,
  no_hash_available,
  decode_pipeline_failed,
  pipeline_config_failed,
  // fidelity
  decode_object_failed,
  decoded_size_mismatch,
  nan_detected,
  inf_detected,
  // ours
  unrecognized_bytes,     ///< a gap between messages
  trailing_bytes,         ///< bytes behind the last message, or no message at all
  version_1,              ///< a message of version 1: known by its place, not readable
  length_mismatch,        ///< preamble and postamble state different lengths
  padding_too_long,       ///< more than `open_options::max_padding` between frames
  index_length_mismatch,  ///< a length in the index is not that of the frame
  index_non_canonical,    ///< CBOR of an index or hash frame is not canonical
  mask_out_of_range,      ///< a mask does not lie in the payload region
  wrong_block_offsets,    ///< `szip_block_offsets` are not where the intervals of the stream begin
  limit_exceeded,         ///< beyond a limit of `open_options`: not checked
  not_decoded,            ///< for want of a codec, by a limit or a lying index: values were not checked
  too_many_findings,      ///< further findings of this message are counted, not delivered
  duplicate_key,          ///< a key of a map comes twice: programs may differ in which value they take
  unreadable,             ///< the library refuses a message, its metadata or an object, and no other finding says so
};

enum class validation_level : std::uint8_t { structure, metadata, integrity, fidelity };

/// Errors make an archive unsound, warnings do not. Notes tell what could not be checked.
enum class severity : std::uint8_t { error, warning, note };

TGMAP_API std::string_view to_string_view(finding_code) noexcept;             ///< "frame_too_small"
TGMAP_API std::string_view to_string_view(validation_level) noexcept;  ///< "structure"
TGMAP_API std::string_view to_string_view(severity) noexcept;          ///< "error"

/// One thing that is wrong, odd or unchecked.
struct finding {
  finding_code code{};
  validation_level level{};
  tgmap::severity severity{};
  std::uint64_t offset = 0;  ///< archive offset: of the bytes at fault, or of what they belong to
  std::uint64_t length = 0;  ///< of gaps and tails: their bytes
  optional_index message{};  ///< its number; none: about bytes that belong to no message
  optional_index object{};   ///< number of the object in its message; none: about no object
  std::string text{};        ///< one line; may quote text of the file, unescaped. Offsets in it are the message's
};

}  // namespace v0
}  // namespace tgmap
