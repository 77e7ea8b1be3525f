// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <tgmap/export.hpp>

namespace tgmap {
inline namespace v0 {

/// What went wrong. Values are part of the ABI and never reused; docs/errors.md describes each with its next step.
enum class errc : int {
  // use of the interface
  out_of_range = 1,    ///< index not below the count: expected = the count, found = the index
  no_archive = 2,      ///< a default-constructed handle was used
  invalid_option = 3,  ///< an option or argument makes no sense: expected = the most possible, found = its value
  read_past_end = 4,   ///< bytes behind a payload or archive asked for: expected = its size, found = end of the range

  // messages (specification §2.1, §2.6, §2.10)
  not_a_message = 10,         ///< no `TENSOGRM` where a message must begin
  unknown_version = 11,       ///< a wire version other than 1, 2 and 3: found = the version
  version_1 = 12,             ///< pre-release version 1: recognised and counted, not readable
  message_too_short = 13,     ///< stated length cannot hold preamble and postamble: expected = least, found = stated
  message_exceeds_file = 14,  ///< expected = stated length, found = bytes left
  missing_end_magic = 15,     ///< no `39277777` at the stated end
  length_mismatch = 16,       ///< preamble and postamble disagree: expected = preamble, found = postamble
  unterminated_stream = 17,   ///< a streamed message without a postamble: found = bytes of complete frames
  damaged = 18,               ///< numbering ends at a gap (`on_damage::stop`): expected = its end, found = its begin
  too_many_gaps = 19,         ///< more gaps than `open_options::max_gaps`: expected = the limit

  // frames (§2.2–2.8)
  not_a_frame = 30,            ///< no `FR` where a frame must begin
  frame_too_short = 31,        ///< expected = least length for its type, found = stated
  frame_exceeds_message = 32,  ///< expected = stated length, found = bytes left in the message
  missing_frame_end = 33,      ///< no `ENDF` at the stated end of the frame
  frame_order = 34,            ///< header, body, footer go backwards: expected = phase reached, found = type
  orphan_preceder = 35,        ///< a preceder that no data object follows
  padding_too_long = 36,       ///< expected = the limit, found = bytes skipped without meeting a frame
  no_metadata = 37,            ///< neither header nor footer metadata
  not_an_object = 38,          ///< the index points at a frame of another type: found = the type

  // index, descriptor, metadata (§3, §5, §6)
  bad_index = 50,            ///< index frame without usable `offsets`
  index_count = 51,          ///< expected = offsets listed or objects announced, found = lengths or offsets listed
  index_offset = 52,         ///< expected = earliest possible offset, found = stated
  index_incomplete = 53,     ///< the message holds an object that the index omits: found = its offset
  index_length = 54,         ///< expected = length in the index, found = length in the frame
  bad_descriptor = 55,       ///< a required key is missing or of the wrong kind
  descriptor_offset = 56,    ///< cbor_offset outside the frame: expected = limit, found = offset
  unknown_dtype = 57,        ///< a dtype the specification does not name
  shape_overflow = 58,       ///< elements or bytes of the tensor do not fit 64 bits
  too_many_dimensions = 59,  ///< expected = `max_rank`, found = dimensions
  mask_range = 60,           ///< a mask outside the payload region: expected = region, found = mask end
  base_count = 61,           ///< more `base` entries than objects: expected = objects, found = entries
  bad_preceder = 62,         ///< a preceder without exactly one entry: found = entries
  duplicate_key = 63,        ///< a key that decides how bytes are read comes twice: found = byte of the second one

  // CBOR (§3)
  bad_cbor = 70,            ///< not well-formed, or an item Tensogram does not allow: found = offset in the frame
  cbor_too_deep = 71,       ///< expected = the limit
  wrong_kind = 72,          ///< the item is of another kind: expected, found = `kind`
  value_out_of_range = 73,  ///< the number does not fit the type asked for
  not_contiguous = 74,      ///< text or bytes stored in pieces, or a view that is not in C order

  // views (why bytes cannot be used in place)
  encoded = 80,                ///< an encoding must be undone
  filtered = 81,               ///< a filter must be undone
  compressed = 82,             ///< a compression must be undone
  masked = 83,                 ///< masks must be applied
  foreign_byte_order = 84,     ///< elements are not in this machine's byte order
  misaligned = 85,             ///< expected = alignment of the type, found = address modulo it
  dtype_mismatch = 86,         ///< expected = dtype asked for, found = dtype stored
  unsupported_strides = 87,    ///< strides that are no permutation of a dense layout
  payload_size_mismatch = 88,  ///< expected = bytes by shape and dtype, found = bytes stored
  not_mapped = 89,             ///< the archive reads instead of mapping; payload() copies once into memory it owns

  // resources, input and output
  out_of_memory = 100,   ///< found = bytes asked for, when known
  resident_limit = 101,  ///< expected = `max_resident_bytes`, found = bytes that would be held; use read(out)
  metadata_limit = 102,  ///< expected = `max_metadata_bytes`, found = bytes of the frame
  object_limit = 103,    ///< expected = `max_objects`, found = objects stated
  is_directory = 110,    ///< the path names a directory
  file_shrank = 111,     ///< the file has become shorter: expected = bytes needed, found = bytes there

  // selection
  bad_selection = 120,  ///< a selection that cannot be read: expected = `where_fault`, found = column, from 1
  bad_key = 121,        ///< a key that cannot be: no fact has that name, or a path that leads to no place

  // decoding (§6.2, §7)
  unknown_codec = 130,          ///< an encoding, filter, compression or mask method the specification does not name
  codec_absent = 131,           ///< a codec that this build does without
  codec_forbidden = 132,        ///< a codec that `open_options::codecs` leaves out
  bad_parameter = 133,          ///< a codec parameter is missing, of the wrong kind or impossible: found = its value
  bad_combination = 134,        ///< stages or a dtype that cannot be together
  codec_failed = 135,           ///< the codec's library cannot read the bytes: found = its own error number
  decoded_size_mismatch = 136,  ///< expected = bytes by shape and dtype, found = bytes that come out
  decoded_limit = 137,          ///< expected = `max_decoded_bytes`, found = bytes that would come out
  bad_mask = 138,               ///< a mask that does not tell of the elements: expected = elements, found = told of
  not_representable = 139,      ///< an element that the type asked for cannot hold: found = its number
  decoded_total_limit = 140,    ///< expected = bytes that may be decoded in all, found = bytes that would be

  // writing (§9.5)
  invalid_strides = 150,  ///< strides that reach outside the elements given: expected = elements, found = reached
  codec_dtype = 151,      ///< a stage that takes one dtype only: expected, found = `dtype`
  sample_bits = 152,      ///< szip would lose bits of samples that are not of 8, 16, 24 or 32: found = bits
  non_finite = 153,       ///< NaN or an infinity where none is allowed: found = the number of the element
  reserved_key = 154,     ///< a key that the library writes itself
  too_large = 155,        ///< more than the codec can take: expected = the most, found = bytes
  wire_version = 156,     ///< not in that version of the wire format: expected = the version it needs, found = asked
  unsupported_upgrade = 157,  ///< stored bytes that would mean something else where they are written
  incomplete_message = 158,   ///< a message whose end is missing cannot be copied
  incomplete_tail = 159,      ///< expected = end of the last whole message, found = bytes of the archive
  archive_locked = 160,       ///< another program is adding to the archive
  not_streamable = 161,       ///< a pipeline that needs all elements at once
  call_out_of_order = 162,    ///< the call does not come in its turn, or an earlier one has failed
  cannot_overwrite = 163,     ///< what was written cannot be changed any more
  archive_changed = 164,      ///< by another program: expected = bytes as an appender left it, found = bytes there
};

/// The enumerator's name, "message_exceeds_file", for programs that branch on text; "unknown" for other numbers.
TGMAP_API std::string_view to_string_view(errc) noexcept;
}  // namespace v0
}  // namespace tgmap
