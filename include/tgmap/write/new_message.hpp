// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <tgmap/array_view.hpp>
#include <tgmap/dtype.hpp>
#include <tgmap/message.hpp>
#include <tgmap/object.hpp>
#include <tgmap/tensor.hpp>
#include <tgmap/write/cbor_value.hpp>
#include <tgmap/write/pipeline.hpp>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace tgmap {
inline namespace v0 {

namespace detail {
/// A contiguous range, such as a span, vector or array, whose C++ type holds a dtype.
template <class R>
concept elements_in_a_row = std::ranges::contiguous_range<R> && std::ranges::sized_range<R> &&
    element<std::remove_cv_t<std::ranges::range_value_t<R>>>;

template <elements_in_a_row R>
auto const_span(R& elements) noexcept {
  using T = std::remove_cv_t<std::ranges::range_value_t<R>>;
  return std::span<const T>(std::ranges::data(elements), std::ranges::size(elements));
}
}  // namespace detail

/// A `new_object` describes a tensor that is to be written. It may be used again.
///
/// The elements are written in C order, whatever `strides` say, and in the byte order of `data` unless
/// `stored_byte_order` is set. If nothing has to be converted or encoded, they are written straight from `data`.
/// Lifetime: `data` is borrowed; keep its memory until the object is written.
struct new_object {
  /// The elements. A `bitmask` has eight in a byte, the first one in the highest bit; bits after the last one are
  /// ignored.
  std::span<const std::byte> data{};
  tgmap::dtype dtype = dtype::uint8;
  std::vector<std::uint64_t> shape{};  ///< extents, slowest first; empty for a scalar

  /// Strides of `data` in elements, one for each extent; may be 0 or negative. The element at indices 0 is
  /// `data[data_offset * element_size(dtype)]`. Every element that they reach must lie in `data`.
  /// Default: empty, for C order.
  std::vector<std::int64_t> strides{};
  std::uint64_t data_offset = 0;                     ///< place in `data`, in elements, of the element at indices 0
  tgmap::byte_order byte_order = native_byte_order;  ///< of `data`

  /// Byte order in the archive. Default: none, for that of `data`, so that no byte is swapped.
  std::optional<tgmap::byte_order> stored_byte_order{};

  tgmap::pipeline pipeline{};           ///< how the elements are encoded; default: not at all
  cbor_value base = cbor_value::map();  ///< metadata of this object alone: a map without `_reserved_`

  /// Further keys of the descriptor, except those that the library writes itself.
  cbor_value descriptor_extra = cbor_value::map();
  std::string type = "ntensor";  ///< type of the object in the descriptor: UTF-8, not empty

  /// In streams, also writes `base` before the object, in a frame of its own. Default: false, since the footer has
  /// `base` too.
  bool preceder = false;

  /// Returns the description of elements in C order; without a shape they have one dimension.
  /// Lifetime: `data` borrows the elements.
  template <element T>
  static new_object of(std::span<const T> elements, std::vector<std::uint64_t> shape) {
    new_object out;
    out.data = std::as_bytes(elements);
    out.dtype = dtype_of<T>;
    out.shape = std::move(shape);
    return out;
  }
  template <element T>
  static new_object of(std::span<const T> elements) {
    return of(elements, {elements.size()});
  }

  /// Returns the same for a vector, an array or a span of mutable elements. Temporary vectors do not compile.
  template <detail::elements_in_a_row R>
  requires std::ranges::borrowed_range<R>
  static new_object of(R&& elements, std::vector<std::uint64_t> shape) {
    return of(detail::const_span(elements), std::move(shape));
  }
  template <detail::elements_in_a_row R>
  requires std::ranges::borrowed_range<R>
  static new_object of(R&& elements) { return of(detail::const_span(elements)); }

  /// Returns the description of a tensor with its strides and byte order. Lifetime: `data` borrows from the tensor.
  static TGMAP_API new_object of(const tensor&);

  /// Returns a description that stores a decoded tensor the way its object is stored: with pipeline_of(descriptor), and
  /// with its byte order, its type and its further keys. The keys of `base` are not copied.
  /// Errors: those of pipeline_of and cbor_value::copy.
  /// Lifetime: `data` borrows from the tensor.
  static TGMAP_API new_object like(const tensor&, const descriptor&);
  static TGMAP_API new_object like(const tensor&, const descriptor&, failure&) noexcept;
};

/// How bytes are treated whose stored hash does not match, when they are loaded to be written with a new hash.
enum class on_mismatch : std::uint8_t {
  refuse,  ///< fails with `errc::hash_mismatch`, since a new hash would hide the damage
  take,    ///< loads them as they are
};

/// A `stored_object` is an object that is encoded already: its descriptor and its stored bytes.
///
/// Both are written unchanged and no codec runs. They are only partly checked; the caller is responsible for the rest.
/// A hash in a descriptor of version 2 is kept and listed, correct or not.
/// Errors, when it is written: bad_descriptor (numbers of dimensions); payload_size_mismatch, shape_overflow (sizes);
/// bad_parameter (a parameter that stages of this library need is missing under its name in that wire version);
/// unknown_codec (the method of a mask); unsupported_wire_version (masks, rle or roaring in version 2).
struct stored_object {
  cbor_value descriptor = cbor_value::map();       ///< every key of §6.1
  std::span<const std::byte> payload_and_masks{};  ///< the payload, then the bytes of the masks; borrowed
  cbor_value base = cbor_value::map();             ///< as in new_object
  bool preceder = false;                           ///< as in new_object

  /// An object of an archive, of the wire version that is written. Its whole frame is written instead of `descriptor`
  /// and `payload_and_masks`. Its stored hash is kept, correct or not, so that copying does not hide damage.
  /// Default: none.
  std::optional<object> source{};

  /// Returns object `j` of a message, to be written as it is stored, in its own wire version or in version 3. `base` is
  /// a copy of its own keys. Compares the hashes of the frames with these keys, and in version 3 that of a payload of
  /// version 2; all get a new hash.
  /// Errors: those of message::at, object::descriptor and message::base; unsupported_wire_version (another version);
  /// unsupported_upgrade (the bytes would mean something else in that version; decode the object instead);
  /// hash_mismatch (offset = beginning of the frame).
  /// Lifetime: borrows from the archive.
  static TGMAP_API stored_object of(const message&, std::size_t j, int version = 3);
  static TGMAP_API stored_object of(const message&, std::size_t j, int version, on_mismatch);
  static TGMAP_API stored_object of(const message&, std::size_t j, failure&) noexcept;
  static TGMAP_API stored_object of(const message&, std::size_t j, int version, failure&) noexcept;
  static TGMAP_API stored_object of(const message&, std::size_t j, int version, on_mismatch, failure&) noexcept;
};

/// A `new_message` is a message that is to be written. It may be used again: its vectors keep their memory.
struct new_message {
  std::vector<std::variant<new_object, stored_object>> objects{};
  cbor_value extra = cbor_value::map();  ///< metadata of the whole message

  /// Provenance as an archive stores it (`message::provenance`), instead of that of `write_options`. A message that
  /// copies payloads of another one keeps its provenance, which readers of version 2 need to decode them.
  /// Default: none.
  /// Spec: §5.1, §7.4.
  std::optional<cbor_value> provenance{};
};

/// Where a message has the list of its objects, or of their hashes.
/// Spec: §2.8.
enum class index_placement : std::uint8_t {
  none,
  header,
  footer,
  both,  ///< the same list twice; readers use the one in the header
};

/// A `provenance` says which program wrote a message, and when.
///
/// Empty fields are omitted, except the encoder in version 2: without it readers take szip payloads for those of
/// releases before 0.7.0. Text that is not UTF-8 is repaired.
/// Spec: §5.1.
struct provenance {
  std::string encoder = "tgmap";
  std::string encoder_version{};  ///< default: empty, for the version of this library

  /// "2026-11-22T05:00:00Z". Default: none, for the current time or SOURCE_DATE_EPOCH. Empty: no time is written.
  std::optional<std::string> time{};

  /// Default: none, for a random one. Empty: no uuid is written.
  std::optional<std::string> uuid{};

  /// Returns a provenance without uuid, and with a time only if SOURCE_DATE_EPOCH is set. The same input then gives
  /// the same bytes.
  static TGMAP_API provenance reproducible();
};

/// Layout of messages. Aggregate: `{.payload_alignment = 64}`. The same options and input give the same bytes, except
/// time and uuid.
struct write_options {
  /// Version of the wire format, 2 or 3. Default: 3, the current one.
  int version = 3;

  /// Stores the xxh3 of every frame, or in version 2 of every payload. Default: true, so that damage can be found.
  bool hashes = true;

  /// Default: header, where readers look first.
  index_placement index = index_placement::header;

  /// Default: header, as the index. Without `hashes` no list is written.
  index_placement hash_list = index_placement::header;

  /// Payloads begin at multiples of this number of bytes, a power of two from 8 to 4096. Multiples count from the start
  /// of the file, as `start_offset` gives it, so that payloads are aligned in a mapping. Larger numbers cost zeros
  /// between frames, which readers skip. Default: 8, the alignment of frames.
  std::uint64_t payload_alignment = 8;

  /// Offset in its file of the first byte that goes to the sink. Default: 0, for a file that begins with it.
  std::uint64_t start_offset = 0;
  tgmap::provenance provenance{};
};

/// A `stored_message` is a message of an archive in its parts, so that it can be written again with changes.
///
/// Each object is a `stored_object` with `source`: its frame, payload and hash stay as they are stored. Keys of
/// preceders are in `base`. The provenance is kept. A stream becomes a message of known length, and its lists stay
/// where they are, also if there are two. The struct may be used again; loading similar messages then allocates
/// nothing.
struct stored_message {
  new_message content{};
  write_options options{};  ///< version and lists of the loaded message; provenance and alignment are the defaults
  std::vector<failure> mismatches{};  ///< hash mismatches of frames that `on_mismatch::take` has loaded

  /// Loads all objects of a message. Compares the hashes of all other frames, which are not copied but made again:
  /// metadata, preceders, indexes, hash lists. After a failure the content must not be used.
  /// Errors: those of message::frames, message::size, message::metadata, message::provenance and stored_object::of.
  /// Complexity: O(bytes of its structure); a small message takes one read.
  /// Lifetime: borrows from the archive.
  TGMAP_API void load(const message&);
  TGMAP_API void load(const message&, failure&) noexcept;
  TGMAP_API void load(const message&, on_mismatch);
  TGMAP_API void load(const message&, on_mismatch, failure&) noexcept;

  /// Loads some objects of a message, in the order given. Of the others only the frames are read.
  /// Errors: as above; out_of_range.
  /// Complexity: O(frames).
  TGMAP_API void load(const message&, std::span<const std::size_t> objects);
  TGMAP_API void load(const message&, std::span<const std::size_t> objects, failure&) noexcept;
  TGMAP_API void load(const message&, std::span<const std::size_t> objects, on_mismatch);
  TGMAP_API void load(const message&, std::span<const std::size_t> objects, on_mismatch, failure&) noexcept;
};

}  // namespace v0
}  // namespace tgmap
