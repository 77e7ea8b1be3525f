// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <tgmap/export.hpp>

namespace tgmap {
inline namespace v0 {

/// An `errc` says why a call failed. Values are part of the ABI and never reused. docs/errors.md describes each one and
/// the next step. In an `Errors:` line, `io` means an error of the operating system.
enum class errc : int {
  // Use of the interface.
  out_of_range = 1,    ///< index not below the count: expected = the count, found = the index
  no_archive = 2,      ///< a default-constructed handle was used
  invalid_option = 3,  ///< invalid option or argument: expected = largest valid value, found = its value
  read_past_end = 4,   ///< a read ends past the payload or archive: expected = its size, found = end of the range

  // Messages. Spec: §2.1, §2.6, §2.10.
  not_a_message = 10,         ///< no `TENSOGRM` where a message must begin
  unknown_version = 11,       ///< wire version other than 1, 2 and 3: found = the version
  version_1 = 12,             ///< pre-release version 1, which is recognised and counted but not read
  message_too_short = 13,     ///< preamble and postamble do not fit: expected = smallest length, found = stated length
  message_exceeds_file = 14,  ///< message longer than the file: expected = stated length, found = bytes left
  missing_end_magic = 15,     ///< no `39277777` at the stated end
  length_mismatch = 16,       ///< preamble and postamble disagree: expected = preamble, found = postamble
  unterminated_stream = 17,   ///< streamed message without a postamble: found = bytes of complete frames
  damaged = 18,               ///< numbering ends at a gap (`on_damage::stop`): expected = its end, found = its begin
  too_many_gaps = 19,         ///< more gaps than `open_options::max_gaps`: expected = the limit

  // Frames. Spec: §2.2–2.8.
  not_a_frame = 30,            ///< no `FR` where a frame must begin
  frame_too_short = 31,        ///< too short for its type: expected = smallest length, found = stated length
  frame_exceeds_message = 32,  ///< frame longer than the message: expected = stated length, found = bytes left
  missing_frame_end = 33,      ///< no `ENDF` at the stated end of the frame
  frame_out_of_order = 34,     ///< header, body and footer out of order: expected = phase reached, found = type
  orphan_preceder = 35,        ///< no data object follows the preceder
  padding_too_long = 36,       ///< no frame after the padding: expected = the limit, found = bytes skipped
  no_metadata = 37,            ///< neither header nor footer metadata
  not_an_object = 38,          ///< the index points at a frame of another type: found = the type

  // Index, descriptor, metadata. Spec: §3, §5, §6.
  bad_index = 50,              ///< index frame without usable `offsets`
  index_count_mismatch = 51,   ///< counts disagree: expected = offsets or announced objects, found = lengths or offsets
  bad_index_offset = 52,       ///< offset too small: expected = smallest possible offset, found = stated offset
  index_incomplete = 53,       ///< the index omits an object of the message: found = its offset
  index_length_mismatch = 54,  ///< lengths disagree: expected = in the index, found = in the frame
  bad_descriptor = 55,         ///< a required key is missing or of the wrong kind
  bad_descriptor_offset = 56,  ///< cbor_offset outside the frame: expected = limit, found = offset
  unknown_dtype = 57,          ///< dtype that the specification does not name
  shape_overflow = 58,         ///< elements or bytes of the tensor do not fit 64 bits
  too_many_dimensions = 59,    ///< expected = `max_rank`, found = dimensions
  mask_out_of_range = 60,    ///< mask outside the payload region: expected = end of the region, found = end of the mask
  base_count_mismatch = 61,  ///< more `base` entries than objects: expected = objects, found = entries
  bad_preceder = 62,         ///< preceder without exactly one entry: found = entries
  duplicate_key = 63,        ///< a key that decides how bytes are read occurs twice: found = offset of the second one

  // CBOR. Spec: §3.
  bad_cbor = 70,            ///< malformed, or an item that Tensogram does not allow: found = offset in the frame
  cbor_too_deep = 71,       ///< nested too deeply: expected = the limit
  wrong_kind = 72,          ///< item of another kind: expected, found = `cbor_kind`
  value_out_of_range = 73,  ///< the requested type cannot hold the number
  not_contiguous = 74,      ///< text or bytes stored in pieces, or a view that is not in C order

  // Views: why bytes cannot be used in place.
  encoded = 80,                ///< an encoding must be undone
  filtered = 81,               ///< a filter must be undone
  compressed = 82,             ///< a compression must be undone
  masked = 83,                 ///< masks must be applied
  foreign_byte_order = 84,     ///< elements are not in the byte order of this machine
  misaligned = 85,             ///< expected = alignment of the type, found = address modulo it
  dtype_mismatch = 86,         ///< expected = requested dtype, found = stored dtype
  unsupported_strides = 87,    ///< strides are not a permutation of a dense layout
  payload_size_mismatch = 88,  ///< expected = bytes by shape and dtype, found = stored bytes
  not_mapped = 89,             ///< the archive is read, not mapped; payload() copies once into memory of the archive

  // Resources, input and output.
  out_of_memory = 100,    ///< found = requested bytes, if known
  resident_limit = 101,   ///< expected = `max_resident_bytes`, found = bytes to hold; use `object::read`
  metadata_limit = 102,   ///< expected = `max_metadata_bytes`, found = bytes of the frame
  object_limit = 103,     ///< expected = `max_objects`, found = stated objects
  is_directory = 110,     ///< the path names a directory
  file_shrank = 111,      ///< the file became shorter: expected = needed bytes, found = bytes left
  foreign_file = 112,     ///< another user put it into a folder that everybody may write to: found = its owner
  output_changed = 113,   ///< another file took the name of an output: expected, found = numbers of files (0: none)
  source_changed = 114,   ///< a `byte_source` has another version of the bytes now
  source_failed = 115,    ///< a `byte_source` threw, or gave a size or an error that has no meaning here: found = it
  output_conflict = 116,  ///< two outputs would be one file, or one name stands for messages of different values

  // Selection.
  bad_selection = 120,      ///< invalid text of a selection: expected = `selection_error`, found = column, from 1
  bad_key = 121,            ///< unknown property, or path that leads to no place
  bad_name_template = 122,  ///< invalid template of file names: expected = `template_error`, found = column, from 1
  bad_address = 123,        ///< the text behind a file is no address of a message: found = its column, from 1

  // Decoding. Spec: §6.2, §7.
  unknown_codec = 130,          ///< encoding, filter, compression or mask method that the specification does not name
  codec_absent = 131,           ///< codec that this build does not include
  codec_forbidden = 132,        ///< codec that `open_options::codecs` leaves out
  bad_parameter = 133,          ///< codec parameter missing, of the wrong kind or impossible: found = its value
  bad_combination = 134,        ///< pipeline stages, or a dtype, that do not go together
  codec_failed = 135,           ///< the library of the codec cannot read the bytes: found = its error number
  decoded_size_mismatch = 136,  ///< expected = bytes by shape and dtype, found = decoded bytes
  decoded_limit = 137,          ///< expected = `max_decoded_bytes`, found = bytes that decoding would give
  bad_mask = 138,             ///< mask of another number of elements: expected = elements, found = elements of the mask
  not_representable = 139,    ///< the requested type cannot hold an element: found = number of the element
  decoded_total_limit = 140,  ///< expected = bytes that may be decoded in all, found = bytes that would be
  hash_mismatch = 141,  ///< of bytes that are decoded with `decode_options::verify`, or loaded to be written with a new
                        ///< hash: expected = the stored hash, found = hash of the bytes

  // Writing. Spec: §9.5.
  invalid_strides = 150,          ///< strides leave the given elements: expected = elements, found = elements reached
  unsupported_dtype = 151,        ///< stage that takes one dtype only: expected, found = `dtype`
  unsupported_sample_bits = 152,  ///< szip keeps all bits only of samples of 8, 16, 24 and 32 bits: found = bits
  non_finite = 153,               ///< NaN or an infinity where none is allowed: found = number of the element
  reserved_key = 154,             ///< key that the library writes itself
  too_large = 155,                ///< more than the codec can take: expected = the maximum, found = bytes
  unsupported_wire_version =
      156,  ///< not in this version of the wire format: expected = needed version, found = requested one
  unsupported_upgrade = 157,  ///< stored bytes would mean something else in the new message
  incomplete_message = 158,   ///< a message without its end cannot be copied
  incomplete_tail = 159,      ///< expected = end of the last complete message, found = bytes of the archive
  archive_locked = 160,       ///< another program is appending to the archive
  not_streamable = 161,       ///< pipeline that needs all elements at once
  call_out_of_order = 162,    ///< call out of order, or after an earlier one failed
  cannot_overwrite = 163,     ///< the sink cannot change bytes that it has written
  archive_changed = 164,      ///< another program changed it: expected = bytes or time that were known, found = now
  cannot_lock = 165,          ///< the file system has no locks: found = error number; see `append_options::lock`

  // Index beside the file. Spec: docs/index_format.md.
  not_an_index = 170,           ///< not an index file, or not a whole one: expected = size in whole pages, found = size
  unknown_index_version = 171,  ///< newer index: expected = the version that is read, found = its version
  index_damaged = 172,          ///< page with a wrong checksum or impossible numbers: found = number of the page
  index_mismatch = 173,         ///< archive and index disagree: expected = in the index, found = in the archive
  index_not_owned = 174,        ///< the index belongs to another user: expected = this user, found = its owner
  no_index = 175,               ///< the archive uses no index
};

/// Returns the enumerator's name, such as "message_exceeds_file", for programs that branch on text; "unknown" for other
/// numbers.
TGMAP_API std::string_view to_string_view(errc) noexcept;
}  // namespace v0
}  // namespace tgmap
