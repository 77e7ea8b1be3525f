// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <tgmap/archive.hpp>
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

TGMAP_API std::string_view to_string_view(finding_code) noexcept;      ///< "frame_too_small"
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

/// What was found in one message.
struct message_report {
  std::size_t index = 0;
  tgmap::message message{};  ///< of the archive that is validated
  std::uint64_t objects = 0;
  bool hash_verified = false;  ///< every object has a digest that matches, and there is no error
  std::uint64_t not_decoded = 0;
  std::span<const finding> findings{};  ///< by level, then in order of the file; valid during the call
};

/// How far it is, and when it has come back, the result.
struct [[nodiscard]] validation_result {
  std::uint64_t checked_bytes = 0, total_bytes = 0;  ///< archive bytes looked at, and all
  std::uint64_t messages = 0, objects = 0;
  std::uint64_t errors = 0, warnings = 0;  ///< errors: `passages` included
  std::uint64_t unclaimed_ranges = 0;      ///< gaps and tails: bytes that belong to no message
  std::uint64_t hash_verified = 0;         ///< messages
  std::uint64_t not_decoded = 0;           ///< objects whose values `full` could not check
  bool stopped = false;                    ///< the stop_token asked for it: not all was looked at
  bool is_sound() const noexcept { return errors == 0 && !stopped; }
};

/// Takes findings as they come, always on the thread that called `validate`. What it throws ends the validation and
/// reaches the caller.
class TGMAP_API validation_visitor {
 public:
  virtual ~validation_visitor();
  /// Gaps, and what lies behind the last message, an incomplete one included: all of them first, in order.
  virtual void unclaimed_bytes(const finding&) {}
  /// Each message, in order, also where nothing was found.
  virtual void message(const message_report&) {}
  /// Now and then, for progress bars.
  virtual void progress(const validation_result&) {}
};

enum class validation_mode : std::uint8_t {
  quick,     ///< structure: lengths, order, padding, flags of frames. Payloads beyond a page are not read
  standard,  ///< structure, metadata and integrity: CBOR, descriptors, indexes held against the frames, digests
  checksum,  ///< digests of every frame, and errors of structure that stand in the way
  full,      ///< standard, and values: the message is read as programs read it, by its index; every object is reached
             ///< and decoded, to as many elements as the shape says, without a NaN or infinity that no mask tells of
};

struct validate_options {
  validation_mode mode = validation_mode::standard;
  bool check_canonical = false;       ///< also: CBOR is in its one deterministic form (RFC 8949, 4.2.1), else a warning
  unsigned threads = 0;               ///< that look at messages, as far as there is work; 0: as many as there are cores
  std::size_t max_findings = 10'000;  ///< of one message that are delivered: bounds what a hostile file can take
  std::stop_token stop{};

  /// Limits the bytes that level `full` decodes, all objects together. Default: any number of bytes.
  total_limit max_decoded{};
};

/// Looks at everything in the archive and trusts nothing in it: structure (§2), indexes and digests (§3, §4), metadata
/// (§5), descriptors and values (§6, §7). O(bytes) for levels with integrity, else O(frames).
///
/// At level `full`, sound means readable: if there is no finding, message[j] and decode() give every object, except
/// strides that no view has and objects that `not_decoded` counts.
///
/// Memory does not grow with the archive, nor with its messages, but that `full` needs the elements of one encoded
/// object for each thread, within `max_decoded_bytes`, and that the archive remembers where the objects of messages
/// with many lie; where nothing is found and keys of maps are in order, messages allocate nothing. A mapped archive is
/// read where it lies if a `mapping_guard` is installed, as one in memory is, except large messages at level `quick`,
/// of which little is read. Any other is read by windows, and nothing is held: `max_resident_bytes` does not matter. A
/// file that shrinks meanwhile is file_shrank, never a signal. Under `on_damage::stop` all behind the first gap is one
/// passage. Errors: no_archive, file_shrank, out_of_memory, io; decoded_total, after the visitor got everything before
/// that message. Faults of the content are findings.
TGMAP_API validation_result validate(const archive&, const validate_options&, validation_visitor&);
TGMAP_API validation_result validate(const archive&, const validate_options&, validation_visitor&, failure&);
inline validation_result validate(const archive& from, validation_visitor& visitor) {
  return validate(from, validate_options{}, visitor);
}
inline validation_result validate(const archive& from, validation_visitor& visitor, failure& why) {
  return validate(from, validate_options{}, visitor, why);
}

}  // namespace v0
}  // namespace tgmap
