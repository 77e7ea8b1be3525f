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

/// Subject of a finding. Names and values up to `inf_detected` are those of the reference implementation.
enum class finding_code : std::uint8_t {
  // structure
  buffer_too_short,  ///< the message cannot hold a preamble
  invalid_magic,
  preamble_parse_failed,        ///< unknown version in the preamble
  total_length_overflow,        ///< in the reference implementation only
  total_length_exceeds_buffer,  ///< stated length beyond the end of the archive
  total_length_too_small,       ///< stated length cannot hold preamble and postamble
  postamble_invalid,            ///< no end magic at the stated end
  footer_offset_out_of_range,   ///< the stated footer is outside the message
  footer_offset_mismatch,       ///< no footer begins at the stated offset
  truncated_frame_header,       ///< the message ends within a frame header
  invalid_frame_header,         ///< no frame begins where one must
  frame_length_overflow,        ///< in the reference implementation only
  frame_too_small,              ///< stated length cannot hold header and tail
  frame_exceeds_message,        ///< the frame reaches into the postamble
  missing_end_marker,           ///< no `ENDF` at the end of the frame
  frame_order_violation,
  preceder_not_followed_by_object,  ///< another frame follows a preceder
  dangling_preceder,                ///< no frame follows a preceder
  cbor_offset_invalid,              ///< the descriptor is outside its frame
  cbor_before_boundary_unknown,     ///< the descriptor before a payload cannot be parsed
  non_zero_padding,                 ///< padding between frames has other bytes than zeros
  flag_mismatch,                    ///< flags of the preamble differ from the frames
  no_metadata_frame,                ///< neither header nor footer metadata
  // metadata: CBOR that cannot be parsed or is not in canonical form, and contradictions
  metadata_cbor_parse_failed,
  metadata_cbor_non_canonical,
  index_cbor_parse_failed,
  index_count_mismatch,   ///< the index lists another number of objects
  index_offset_mismatch,  ///< an offset in the index is not that of the frame
  hash_frame_cbor_parse_failed,
  hash_frame_count_mismatch,  ///< the list of hashes has another number of objects
  preceder_cbor_parse_failed,
  preceder_cbor_non_canonical,
  preceder_base_count_wrong,   ///< a preceder has not exactly one entry
  base_count_exceeds_objects,  ///< more `base` entries than objects
  descriptor_cbor_parse_failed,
  descriptor_cbor_non_canonical,
  ndim_shape_mismatch,     ///< `ndim` is not the number of extents
  strides_shape_mismatch,  ///< another number of strides than of extents
  shape_overflow,          ///< the number of elements does not fit 64 bits
  unknown_encoding,
  unknown_filter,
  unknown_compression,
  empty_obj_type,           ///< the `type` of an object is empty
  reserved_not_a_map,       ///< `_reserved_` of an object is not a map
  reserved_missing_tensor,  ///< `_reserved_` of an object has no `tensor`
  // integrity
  hash_mismatch,            ///< a stored hash is not that of the bytes
  hash_verification_error,  ///< a hash is missing or cannot be read
  unknown_hash_algorithm,   ///< a hash by an algorithm that the library does not have
  no_hash_available,        ///< written without hashes: integrity is not checked
  decode_pipeline_failed,   ///< a codec cannot decode the payload
  pipeline_config_failed,   ///< the descriptor does not describe a pipeline that works
  // fidelity
  decode_object_failed,   ///< a mask cannot be decoded
  decoded_size_mismatch,  ///< the decoded bytes are not those of the shape
  nan_detected,           ///< a NaN that no mask marks
  inf_detected,           ///< an infinity that no mask marks
  // of this library
  unrecognized_bytes,     ///< a gap between messages
  trailing_bytes,         ///< bytes after the last message, or no message at all
  version_1,              ///< a message of version 1: its place is known, its content cannot be read
  length_mismatch,        ///< preamble and postamble state different lengths
  padding_too_long,       ///< more than `open_options::max_padding` between frames
  index_length_mismatch,  ///< a length in the index is not that of the frame
  index_non_canonical,    ///< CBOR of an index or hash frame is not in canonical form
  mask_out_of_range,      ///< a mask is outside the payload region
  wrong_block_offsets,    ///< `szip_block_offsets` are not the begins of the intervals in the stream
  limit_exceeded,         ///< beyond a limit of `open_options`: not checked
  not_decoded,            ///< values not checked: no codec, a limit, or a wrong index
  too_many_findings,      ///< further findings of this message are counted, not delivered
  duplicate_key,          ///< a key of a map is repeated: programs may differ in the value they take
  unreadable,             ///< the library refuses a message, its metadata or an object, and no other finding says so
  strides_in_bytes,       ///< strides are in bytes; they are divided by the size of an element
  repeated_frame,         ///< a second frame of a type that a message has at most once: programs may take either one
};

/// The check that a finding belongs to, from coarse to fine.
enum class validation_level : std::uint8_t {
  structure,  ///< lengths, order, padding and flags of frames
  metadata,   ///< CBOR, descriptors and indexes
  integrity,  ///< hashes, and payloads that cannot be decoded
  fidelity,   ///< decoded values
};

/// Weight of a finding.
enum class severity : std::uint8_t {
  error,    ///< the archive is not sound
  warning,  ///< unusual, but the archive is sound
  note,     ///< something could not be checked
};

TGMAP_API std::string_view to_string_view(finding_code) noexcept;      ///< "frame_too_small"
TGMAP_API std::string_view to_string_view(validation_level) noexcept;  ///< "structure"
TGMAP_API std::string_view to_string_view(severity) noexcept;          ///< "error"

/// A `finding` is one fact about an archive that is wrong, unusual or unchecked.
struct finding {
  finding_code code{};
  validation_level level{};
  tgmap::severity severity{};
  std::uint64_t offset = 0;  ///< archive offset of the bytes at fault, or of the part that they belong to
  std::uint64_t length = 0;  ///< bytes of a gap or of an incomplete tail
  optional_index message{};  ///< number of the message; none for bytes that belong to no message
  optional_index object{};   ///< number of the object in its message; none if it is not about an object
  std::string text{};        ///< one line; may quote the file without escapes. Its offsets count from the message
};

/// A `message_report` has the findings of one message.
struct message_report {
  std::size_t index = 0;                  ///< number of the message
  tgmap::message message{};               ///< handle in the archive that is validated, or in without_index() of it
  std::uint64_t objects = 0;              ///< number of objects
  bool hash_verified = false;             ///< every object has a hash that matches, and there is no error
  std::uint64_t objects_not_decoded = 0;  ///< objects whose values could not be checked
  std::span<const finding> findings{};    ///< by level, then in order of the file; valid during the call
};

/// Progress of a validation, and its result after validate() has returned.
struct [[nodiscard]] validation_result {
  std::uint64_t checked_bytes = 0, total_bytes = 0;  ///< bytes of the archive that are checked, and all of them
  std::uint64_t messages = 0, objects = 0;           ///< numbers of those checked
  std::uint64_t errors = 0, warnings = 0;            ///< `errors` includes `unclaimed_ranges`
  std::uint64_t unclaimed_ranges = 0;                ///< gaps and incomplete tails: bytes that belong to no message
  std::uint64_t messages_verified = 0;               ///< messages whose hashes all match
  std::uint64_t objects_not_decoded = 0;             ///< objects whose values `full` could not check
  bool stopped = false;                              ///< ended by the stop_token before all was checked
  bool is_sound() const noexcept { return errors == 0 && !stopped; }
};

/// A `validation_visitor` receives findings while the archive is validated, always in the thread that called
/// validate(). Exceptions end the validation and pass through.
class TGMAP_API validation_visitor {
 public:
  virtual ~validation_visitor();

  /// Receives each gap, and the bytes after the last whole message, an incomplete one included. All of them come before
  /// the messages, in order.
  virtual void unclaimed_bytes(const finding&) {}

  /// Receives each message in order, also without findings.
  virtual void message(const message_report&) {}

  /// Receives the progress from time to time, for progress bars.
  virtual void progress(const validation_result&) {}
};

/// Extent of a validation.
enum class validation_mode : std::uint8_t {
  quick,     ///< structure: lengths, order, padding, flags of frames; reads no payload beyond a page
  standard,  ///< structure, metadata and integrity: CBOR, descriptors, indexes compared with frames, hashes
  checksum,  ///< hashes of every frame, and the errors of structure that prevent them
  full,      ///< standard, and values: reads each message by its index as programs do, and decodes every object. The
             ///< shape must match the number of elements, and a mask must mark each NaN and infinity
};

/// Options of validate(). Aggregate: `{.mode = tgmap::validation_mode::full}`.
struct validate_options {
  /// Default: standard, all that is checked without decoding.
  validation_mode mode = validation_mode::standard;

  /// Also warns of CBOR that is not in its one deterministic form (RFC 8949, 4.2.1). Default: false, since readers take
  /// any form.
  bool check_canonical = false;

  /// Maximum number of threads that check messages; small archives take fewer. Default: 0, one for each core.
  unsigned threads = 0;

  /// Maximum number of findings of one message that are delivered. Default: 10,000, which bounds the memory that a
  /// hostile file can take.
  std::size_t max_findings = 10'000;

  /// Ends the validation after a stop request. Default: none.
  std::stop_token stop{};

  /// Limits the bytes that `full` decodes, all objects together. Default: any number of bytes.
  total_limit max_decoded{};

  /// Checks messages on these threads; `threads` is then not used. Default: null, for threads that end with the call.
  tgmap::executor* executor = nullptr;
};

/// Checks everything in an archive and trusts nothing in it. An index is not used, also if the archive was opened with
/// one: all bytes are read (see without_index). check_index compares the index.
///
/// In mode `full`, a sound archive is a readable one: without findings, message[j] and decode() succeed for every
/// object. Exceptions are strides that no view supports, and objects that `not_decoded` counts. Under `on_damage::stop`
/// all bytes after the first gap are one unclaimed range.
///
/// An archive in memory is checked in place. So is a mapped one if a `mapping_guard` is or can be installed, except
/// large messages in mode `quick`, of which little is read. Any other archive is read in windows, and nothing is kept:
/// `max_resident_bytes` does not matter. A file that shrinks meanwhile is file_shrank, never a signal.
///
/// Memory does not grow with the archive or its messages, with two exceptions. `full` needs the elements of one encoded
/// object for each thread, within `max_decoded_bytes`. The archive remembers the places of objects in messages with
/// many of them. A message without findings whose map keys are in order allocates nothing. Errors: no_archive,
/// file_shrank, out_of_memory, io; decoded_total_limit, after the visitor has received all messages before the one that
/// exceeds it. Faults of the content are findings, not errors. Complexity: O(bytes) in modes with integrity, else
/// O(frames). Spec: §2 (structure), §3 and §4 (indexes and hashes), §5 (metadata), §6 and §7 (descriptors and values).
TGMAP_API validation_result validate(const archive&, const validate_options&, validation_visitor&);
TGMAP_API validation_result validate(const archive&, const validate_options&, validation_visitor&, failure&);
inline validation_result validate(const archive& source, validation_visitor& visitor) {
  return validate(source, validate_options{}, visitor);
}
inline validation_result validate(const archive& source, validation_visitor& visitor, failure& why) {
  return validate(source, validate_options{}, visitor, why);
}

}  // namespace v0
}  // namespace tgmap
