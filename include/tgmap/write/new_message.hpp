// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
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

inline constexpr byte_order native_byte_order =
    std::endian::native == std::endian::little ? byte_order::little : byte_order::big;

namespace detail {
/// A span, vector, array or the like of a C++ type that holds a dtype.
template <class R>
concept elements_in_a_row = std::ranges::contiguous_range<R> && std::ranges::sized_range<R> &&
    element<std::remove_cv_t<std::ranges::range_value_t<R>>>;

template <elements_in_a_row R>
auto const_span(R& elements) noexcept {
  using T = std::remove_cv_t<std::ranges::range_value_t<R>>;
  return std::span<const T>(std::ranges::data(elements), std::ranges::size(elements));
}
}  // namespace detail

/// A tensor to be written. A plain description that may be used again; `data` is borrowed until it has been written.
///
/// Written are its elements in C order, whatever the strides here, in the byte order of `data` unless `store_as` says
/// otherwise. The caller's memory is written from directly when there is nothing to undo on the way.
struct new_object {
  /// The elements; `bitmask`: eight a byte, the first one highest, and what is behind the last one does not count.
  std::span<const std::byte> data{};
  tgmap::dtype dtype = dtype::uint8;
  std::vector<std::uint64_t> shape{};  ///< extents, slowest first; empty: a scalar
  /// Of `data`, in elements, as many as extents; empty: C order. May be 0 or negative; the element at indices 0 is
  /// `data[first * width]`. Every element they reach must lie in `data`.
  std::vector<std::int64_t> strides{};
  std::uint64_t data_offset = 0;
  tgmap::byte_order byte_order = native_byte_order;      ///< of `data`
  std::optional<tgmap::byte_order> stored_byte_order{};  ///< nothing: as in `data`
  tgmap::pipeline pipeline{};
  cbor_value base = cbor_value::map();  ///< keys of this object alone: a map without `_reserved_`
  cbor_value descriptor_extra =
      cbor_value::map();         ///< further keys of its descriptor, none of which the library writes itself
  std::string type = "ntensor";  ///< UTF-8, not empty
  bool preceder = false;         ///< streams: `base` goes ahead of the object too, in a frame of its own

  /// Describes elements that lie in C order; without a shape in one dimension.
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
  /// The same for a vector, an array or a span of elements that could be changed; not for one that is a temporary.
  template <detail::elements_in_a_row R>
  requires std::ranges::borrowed_range<R>
  static new_object of(R&& elements, std::vector<std::uint64_t> shape) {
    return of(detail::const_span(elements), std::move(shape));
  }
  template <detail::elements_in_a_row R>
  requires std::ranges::borrowed_range<R>
  static new_object of(R&& elements) { return of(detail::const_span(elements)); }
  /// Describes a tensor as it lies, strides and byte order included. Lifetime: `data` borrows from it.
  static TGMAP_API new_object of(const tensor&);

  /// Elements that were decoded, to be stored as the object that they were decoded of: by pipeline_of(descriptor), in
  /// its byte order, with its type and with the keys of its descriptor that the library does not write itself. Keys in
  /// `base` are not among them. Errors: those of pipeline_of; those of item::copy.
  static TGMAP_API new_object like(const tensor&, const descriptor&);
  static TGMAP_API new_object like(const tensor&, const descriptor&, failure&) noexcept;
};

/// An object that is encoded already: how it is stored, and the bytes that are stored. Nothing of it is changed, and no
/// codec is asked; that the two belong together is the caller's word. What can be told is checked: numbers of
/// dimensions (bad_descriptor), sizes (payload_size), what this library's stages need, as that wire version spells it
/// (bad_parameter), methods of masks (unknown_codec). The digest that a descriptor of version 2 states is kept, and
/// listed, right or wrong.
struct stored_object {
  cbor_value descriptor = cbor_value::map();       ///< every key of §6.1
  std::span<const std::byte> payload_and_masks{};  ///< payload, and the blobs of masks behind it; borrowed
  cbor_value base = cbor_value::map();
  bool preceder = false;

  /// Instead of the two above, of an object of the same wire version: its whole frame as it lies. Then its digest stays
  /// the one that was written, right or wrong: damage does not become sound by being copied.
  std::optional<object> source{};

  /// An object of an archive, to be written as it is stored; what is written must be of its wire version, or of version
  /// 3. `base` is a copy of its own keys. Borrows from the archive.
  /// Errors: those of object::descriptor, message::base; unsupported_upgrade (what it stores would mean something else
  /// in that version: decode it instead).
  static TGMAP_API stored_object of(const message&, std::size_t j, int version = 3);
  static TGMAP_API stored_object of(const message&, std::size_t j, failure&) noexcept;
  static TGMAP_API stored_object of(const message&, std::size_t j, int version, failure&) noexcept;
};

/// A message to be written. May be used again: vectors keep their memory.
struct new_message {
  std::vector<std::variant<new_object, stored_object>> objects{};
  cbor_value extra = cbor_value::map();  ///< keys of the whole message
  /// Who wrote it and when, as an archive says (`message::reserved`), instead of what `write_options` say. A message
  /// that is made of another one, its payloads as they are, keeps this: of version 2, readers go by it (§7.4).
  std::optional<cbor_value> provenance{};
};

/// Where a list of the objects, or of their digests, is put (§2.8).
enum class index_placement : std::uint8_t { none, header, footer };

/// Who wrote a message, and when (§5.1). Nothing that is empty is written, but for the encoder in version 2: without
/// one readers would take szip payloads for those of releases before 0.7.0. What is no UTF-8 is repaired.
struct provenance {
  std::string encoder = "tgmap";
  std::string encoder_version{};      ///< empty: this library's
  std::optional<std::string> time{};  ///< "2026-11-22T05:00:00Z"; nothing: now, or SOURCE_DATE_EPOCH; empty: none
  std::optional<std::string> uuid{};  ///< nothing: a random one; empty: none

  /// Without time (but for SOURCE_DATE_EPOCH) and without uuid: the same input gives the same bytes.
  static TGMAP_API provenance reproducible();
};

/// How messages are laid out. Aggregate. The same options and input give the same bytes, but for time and uuid.
struct write_options {
  int version = 3;     ///< of the wire format: 2 or 3
  bool hashes = true;  ///< xxh3 of every frame (version 2: of every payload)
  index_placement index = index_placement::header;
  index_placement hash_list = index_placement::header;  ///< without `hashes` there is none
  /// Payloads begin at multiples of this, 8 to 4096, a power of two, counted from the start of the sink's file where
  /// `start` says where that is: so they are aligned in a mapping. Costs zeros between frames, which readers pass over.
  std::uint64_t payload_alignment = 8;
  std::uint64_t start_offset = 0;  ///< offset in its file of the first byte that goes to the sink
  tgmap::provenance provenance{};
};

/// A message of an archive taken apart, so that it can be written again with something of it changed.
///
/// Its objects are `stored_object::of` of each: whole frames, whose payloads and digests stay as they lie. What
/// preceders say is in their keys. Its provenance is kept. A stream becomes a message of known length, whose lists stay
/// where they are. May be used again and again: then messages that are alike take no memory.
struct stored_message {
  new_message content{};
  write_options options{};  ///< what it has of lists and digests; of provenance and alignment nothing

  /// Takes one apart; borrows from its archive. O(bytes of its structure); of small messages that is one look.
  /// Errors: those of message::frames, size, metadata, reserved; stored_object::of. Then this holds nothing of use.
  TGMAP_API void load(const message&);
  TGMAP_API void load(const message&, failure&) noexcept;

  /// The same with some of its objects, in this order; of none of the others anything is looked at but their frames.
  /// O(frames). Errors: as above; out_of_range.
  TGMAP_API void load(const message&, std::span<const std::size_t> objects);
  TGMAP_API void load(const message&, std::span<const std::size_t> objects, failure&) noexcept;
};

}  // namespace v0
}  // namespace tgmap
