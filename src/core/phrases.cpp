// SPDX-License-Identifier: Apache-2.0
#include "core/phrases.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <tgmap/enum_names.hpp>

#include "core/text/enum_table.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

namespace {

struct entry {
  errc code;
  std::string_view name;
  std::string_view plain;
  std::string_view numbered;
};

#define ROW(code, plain, numbered) \
  { errc::code, #code, plain, numbered }

constexpr entry table[] = {
    ROW(out_of_range, "index out of range", "number {f} is not below the count {e}"),
    ROW(no_archive, "no archive is open", "no archive is open"),
    ROW(invalid_option, "invalid option", "invalid option value {f}"),
    ROW(read_past_end, "read past the end", "a read up to byte {f} goes past the end at byte {e}"),
    ROW(not_a_message, "no message begins here", "no message begins here: TENSOGRM is missing"),
    ROW(unknown_version, "unknown wire version", "unknown wire version {f}; 1, 2 and 3 are known"),
    ROW(version_1, "wire version 1 is recognised but not readable",
        "wire version 1 (pre-release) is recognised but not readable"),
    ROW(message_too_short, "message length too short", "message length {f} is below the smallest possible {e}"),
    ROW(message_exceeds_file, "message exceeds the archive", "message length {e} exceeds the {f} bytes left"),
    ROW(missing_end_magic, "end of message is missing", "39277777 is missing at the end of {e} bytes"),
    ROW(length_mismatch, "preamble and postamble disagree", "message length {e} in the preamble, {f} in the postamble"),
    ROW(unterminated_stream, "streamed message without its end",
        "streamed message ends after {f} bytes of complete frames, without a postamble"),
    ROW(damaged, "numbering ends at damage", "numbering ends at the gap from {f:x} to {e:x}"),
    ROW(too_many_gaps, "too many gaps", "more than {e} gaps"),
    ROW(not_a_frame, "no frame begins here", "no frame begins here: FR is missing"),
    ROW(frame_too_short, "frame length too short", "frame length {f} is below the smallest possible {e}"),
    ROW(frame_exceeds_message, "frame exceeds its message", "frame length {e} exceeds the {f} bytes left"),
    ROW(missing_frame_end, "end of frame is missing", "ENDF is missing at the end of {e} bytes"),
    ROW(frame_out_of_order, "frames out of order", "frame type {f} after phase {e}"),
    ROW(orphan_preceder, "preceder without a data object", "no data object follows the preceder"),
    ROW(padding_too_long, "padding too long", "no frame within {e} bytes of padding"),
    ROW(no_metadata, "message without metadata", "the message has no metadata frame"),
    ROW(not_an_object, "index points at no data object", "the index points at a frame of type {f}"),
    ROW(bad_index, "unusable index frame", "the index frame holds no usable offsets"),
    ROW(index_count_mismatch, "counts in the index disagree", "the index announces {e} objects and lists {f}"),
    ROW(bad_index_offset, "index offset out of range", "index offset {f} is below the smallest possible {e}"),
    ROW(index_incomplete, "index omits an object", "the index omits the data object at {f} of the message"),
    ROW(index_length_mismatch, "index and frame disagree in length", "length {e} in the index, {f} in the frame"),
    ROW(bad_descriptor, "unusable descriptor",
        "a required key of the descriptor is missing, has the wrong kind, or contradicts another key"),
    ROW(bad_descriptor_offset, "descriptor offset out of range", "descriptor offset {f} is not within [16, {e}]"),
    ROW(unknown_dtype, "unknown dtype", "unknown dtype"),
    ROW(shape_overflow, "shape overflows", "elements or bytes of the tensor exceed 64 bits"),
    ROW(too_many_dimensions, "too many dimensions", "{f} dimensions; at most {e} are possible"),
    ROW(mask_out_of_range, "mask out of range", "a mask ends at {f} of the {e} bytes of payload"),
    ROW(base_count_mismatch, "more base entries than objects", "{f} base entries for {e} objects"),
    ROW(bad_preceder, "unusable preceder", "a preceder with {f} entries instead of {e}"),
    ROW(duplicate_key, "a key comes twice",
        "a key that decides how bytes are read comes twice, again at byte {f} of the item"),
    ROW(bad_cbor, "malformed CBOR", "malformed CBOR at byte {f} of the item"),
    ROW(cbor_too_deep, "CBOR nested too deep", "CBOR nested deeper than {e}"),
    ROW(wrong_kind, "value of another kind", "a value of kind {f:k} instead of {e:k}"),
    ROW(value_out_of_range, "value out of range", "the value does not fit the type asked for"),
    ROW(not_contiguous, "not in one piece", "not in one piece or not in C order"),
    ROW(encoded, "an encoding must be undone", "an encoding must be undone"),
    ROW(filtered, "a filter must be undone", "a filter must be undone"),
    ROW(compressed, "a compression must be undone", "a compression must be undone"),
    ROW(masked, "masks must be applied", "masks must be applied"),
    ROW(foreign_byte_order, "elements in foreign byte order", "elements are not in this machine's byte order"),
    ROW(misaligned, "payload is misaligned", "the payload is {f} bytes off the alignment of {e}"),
    ROW(dtype_mismatch, "another dtype is stored", "dtype {f:d} is stored, not {e:d}"),
    ROW(unsupported_strides, "strides are not dense", "strides are no permutation of a dense layout"),
    ROW(payload_size_mismatch, "payload size does not match", "payload of {f} bytes, but shape and dtype need {e}"),
    ROW(not_mapped, "not mapped", "the archive is read, not mapped"),
    ROW(out_of_memory, "out of memory", "out of memory for {f} bytes"),
    ROW(resident_limit, "resident limit reached",
        "{f} bytes would be held but max_resident_bytes is {e}; use read(offset, out)"),
    ROW(metadata_limit, "metadata too large", "{f} bytes of metadata, but max_metadata_bytes is {e}"),
    ROW(object_limit, "too many objects", "{f} objects, but max_objects is {e}"),
    ROW(is_directory, "is a directory", "is a directory"),
    ROW(file_shrank, "file has become shorter", "the file has become shorter: {e} bytes needed, {f} there"),
    ROW(foreign_file, "of another user, in a folder that everybody may write to",
        "it belongs to user {f}, in a folder that everybody may write to"),
    ROW(output_changed, "another file took the name of the output",
        "another file took the name of the output or of its temporary file"),
    ROW(source_changed, "the source has another version", "the source has another version of the bytes now"),
    ROW(source_failed, "the source of the bytes failed", "the source of the bytes failed without a reason"),
    ROW(output_conflict, "two outputs would be one file", "two outputs, or different messages, would be one file"),
    ROW(bad_selection, "invalid selection", "{e:w}, at column {f} of the selection"),
    ROW(bad_key, "invalid key", "no property of an archive has this name"),
    ROW(bad_name_template, "invalid template of file names", "the template is invalid at column {f}"),
    ROW(bad_address, "invalid address", "no numbers of messages or objects, at column {f} of the address"),
    ROW(unknown_codec, "unknown codec", "a codec that the format does not name"),
    ROW(codec_absent, "codec not available", "the codec is not built in, or its library is not installed"),
    ROW(codec_forbidden, "codec not allowed", "open_options::codecs leaves the codec out"),
    ROW(bad_parameter, "unusable codec parameter", "a codec parameter is missing or impossible ({f})"),
    ROW(bad_combination, "stages that do not go together",
        "encoding, filter, compression and dtype do not go together"),
    ROW(codec_failed, "the codec cannot read the bytes", "the codec cannot read the bytes (its error {f})"),
    ROW(decoded_size_mismatch, "decoded size does not match", "decoding gives {f} bytes, but shape and dtype need {e}"),
    ROW(decoded_limit, "decoded size over the limit", "{f} bytes would come out, but max_decoded_bytes is {e}"),
    ROW(bad_mask, "unusable mask", "a mask has {f} elements instead of {e}"),
    ROW(not_representable, "a number that the type cannot hold", "the type asked for cannot hold element {f}"),
    ROW(decoded_total_limit, "decoded in all over the limit",
        "{f} bytes would be decoded in all, but the limit is {e}"),
    ROW(hash_mismatch, "the stored hash does not match", "the stored hash {e:x} is not the hash {f:x} of the bytes"),
    ROW(invalid_strides, "strides reach outside the elements", "strides reach {f} elements, but {e} are given"),
    ROW(unsupported_dtype, "a stage that takes another dtype", "a stage that takes {e:d} only, not {f:d}"),
    ROW(unsupported_sample_bits, "szip would lose bits",
        "szip would lose bits of samples of {f} bits; it keeps those of 8, 16, 24 and 32"),
    ROW(non_finite, "NaN or an infinity", "element {f} is NaN or infinite, which is not allowed here"),
    ROW(reserved_key, "a key that the library writes itself", "a key that the library writes itself"),
    ROW(too_large, "more than the codec can take", "{f} bytes, but the codec takes at most {e}"),
    ROW(unsupported_wire_version, "not in that wire version", "needs version {e} of the wire format, not {f}"),
    ROW(unsupported_upgrade, "stored bytes that readers would decode differently",
        "readers of the new message would decode these bytes differently"),
    ROW(incomplete_message, "the end of the message is missing", "the end of the message is missing"),
    ROW(incomplete_tail, "the archive ends in an incomplete message",
        "the archive ends in an incomplete message: {f} bytes where the last whole one ends at {e}"),
    ROW(archive_locked, "another program is appending to the archive", "another program is appending to the archive"),
    ROW(not_streamable, "a pipeline that needs all elements at once", "a pipeline that needs all elements at once"),
    ROW(call_out_of_order, "call out of order", "the call is out of order, or an earlier one has failed"),
    ROW(cannot_overwrite, "written bytes cannot be changed", "bytes that were written cannot be changed any more"),
    ROW(archive_changed, "another program has changed the archive",
        "another program has changed or replaced the archive meanwhile: {f} bytes where {e} were left"),
    ROW(cannot_lock, "the archive cannot be locked",
        "the archive cannot be locked: the file system has no locks (error {f})"),
    ROW(not_an_index, "not an index file", "not an index file: {f} bytes, where {e} are whole pages"),
    ROW(unknown_index_version, "unknown version of index files", "index version {f}; this release reads version {e}"),
    ROW(index_damaged, "the index file is damaged", "page {f} of the index file is damaged"),
    ROW(index_mismatch, "the index does not belong to these bytes",
        "the index does not belong to these bytes of the archive: {e:x} in the index, {f:x} in the archive"),
    ROW(index_not_owned, "the index belongs to another user", "the index belongs to user {f}, not to {e}"),
    ROW(no_index, "the archive uses no index", "the archive uses no index"),
};

#undef ROW

const entry* lookup(errc code) noexcept {
  const auto* found = std::ranges::find(table, code, &entry::code);
  return found == std::end(table) ? nullptr : found;
}

const entry* lookup(std::string_view name) noexcept {
  const auto* found = std::ranges::find(table, name, &entry::name);
  return found == std::end(table) ? nullptr : found;
}

constexpr std::array<std::string_view, 9> kind_names{"null",  "boolean", "integer", "floating", "text",
                                                     "bytes", "array",   "map",     "tag"};

constexpr std::array<std::string_view, 14> selection_error_phrases{
    "a key is missing",
    "no operator follows the key",
    "a value is missing",
    "and, or, not and has need quotes to be a value",
    "a quote is not closed",
    "a parenthesis is not closed",
    "a closing parenthesis has no opening one",
    "and or or is missing before this",
    "nested too deep",
    "no property has this name",
    "invalid pattern",
    "patterns need a build with RE2",
    "numbers with commas between them; write / between alternatives, or quote the value",
    "a range is written as 0..24 or 0/to/24/by/6, with both ends, which belong to it; without an end use >= or <=",
};

}  // namespace

std::string_view kind_name(std::uint64_t kind) noexcept {
  return kind < kind_names.size() ? kind_names[static_cast<std::size_t>(kind)] : "";
}

std::string_view selection_error_phrase(std::uint64_t fault) noexcept {
  return fault < selection_error_phrases.size() ? selection_error_phrases[static_cast<std::size_t>(fault)] : "unknown";
}

std::string_view phrase(errc code) noexcept {
  const auto* e = lookup(code);
  return e ? e->numbered : "unknown error";
}

std::string_view argument_phrase(const failure& why) noexcept {
  const std::string_view argument = why.argument == nullptr ? "" : why.argument;
  if (why.code == errc::bad_parameter && argument == packed_range)
    return "the smallest and the largest element are too far apart, or too close together, for simple_packing";
  if (why.code == errc::not_representable && argument == packed_error)
    return "simple_packing cannot keep the error of element {f} within the maximum, with any number of bits";
  if (why.code == errc::not_representable && argument == packed_element)
    return "simple_packing with these parameters cannot hold element {f}";
  if (why.code == errc::archive_changed && argument == changed_size)
    return "the file has changed since its objects were found: {f} bytes instead of {e}";
  if (why.code == errc::archive_changed && argument == changed_time)
    return "the file has changed since its objects were found: its time of change is {f} instead of {e}";
  if (why.code == errc::archive_changed && argument == changed_number)
    return "the path leads to another file than before: its number is {f} instead of {e}";
  if (why.code == errc::bad_key && why.expected != 0) return argument;
  return {};
}

std::string_view plain_phrase(errc code) noexcept {
  const auto* e = lookup(code);
  return e ? e->plain : "unknown error";
}

}  // namespace detail

std::string_view to_string_view(errc code) noexcept {
  const auto* e = detail::lookup(code);
  return e ? e->name : "unknown";
}

template <>
std::optional<cbor_kind> from_string<cbor_kind>(std::string_view name) noexcept {
  return core::value_of<cbor_kind>(detail::kind_names, name);
}

template <>
std::optional<selection_error> from_string<selection_error>(std::string_view phrase) noexcept {
  return core::value_of<selection_error>(detail::selection_error_phrases, phrase);
}

template <>
std::optional<errc> from_string<errc>(std::string_view name) noexcept {
  const auto* e = detail::lookup(name);
  return e ? std::optional(e->code) : std::nullopt;
}

}  // namespace v0
}  // namespace tgmap
