// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <tgmap/array_view.hpp>
#include <tgmap/decode/missing_mask.hpp>
#include <tgmap/decode/part_reader.hpp>
#include <tgmap/descriptor.hpp>
#include <tgmap/frame.hpp>
#include <tgmap/metadata.hpp>
#include <tgmap/options.hpp>
#include <tgmap/tensor.hpp>
#include <vector>

namespace tgmap {
inline namespace v0 {

/// One data object of a message (§2.7): its descriptor and its payload.
///
/// A small handle: trivially copyable, owns nothing. Making the handle reads the frame's header and tail and, for
/// masks, its descriptor. part_reader.hpp reads parts of one object, decode_many.hpp many objects at once.
/// Errors: the overload without `failure&` throws `error` with what the other one stores.
/// Lifetime: handle, spans and views are valid while the archive, or a pin of it, lives. A tensor needs neither.
/// Thread safety: all members may run in any number of threads.
class TGMAP_API object {
 public:
  object() noexcept = default;

  std::size_t index() const noexcept { return index_; }  ///< number in its message
  const tgmap::frame& frame() const noexcept TGMAP_LIFETIMEBOUND { return frame_; }

  /// Returns the descriptor, parsed anew at each call. Keep the result.
  /// Errors: bad_descriptor, unknown_dtype, shape_overflow, too_many_dimensions, mask_range, bad_cbor, duplicate_key,
  /// out_of_memory, io.
  /// Complexity: O(bytes of the descriptor), no allocation up to 6 dimensions.
  tgmap::descriptor descriptor() const;
  tgmap::descriptor descriptor(failure&) const noexcept;

  /// Returns the metadata of this object: preceder over its base entry over message-wide keys; `_reserved_` is hidden.
  /// Errors: as `message::metadata`.
  /// Complexity: O(bytes of the message's metadata); no payload is touched.
  tgmap::metadata metadata() const;
  tgmap::metadata metadata(failure&) const noexcept;

  /// Returns the encoded tensor as stored, without mask blobs. With `io_mode::read` the object is read once into memory
  /// that the archive owns until it is closed.
  /// Errors: resident_limit, out_of_memory, io.
  /// Complexity: O(1), no copy.
  std::span<const std::byte> payload() const;
  std::span<const std::byte> payload(failure&) const noexcept;
  std::uint64_t payload_size() const noexcept { return payload_length_; }
  std::uint64_t payload_offset() const noexcept { return frame_.offset() + region_at_; }  ///< archive offset

  /// Returns payload and mask blobs, as the frame holds them. Errors: as payload().
  std::span<const std::byte> payload_and_masks() const;
  std::span<const std::byte> payload_and_masks(failure&) const noexcept;
  std::uint64_t payload_and_masks_size() const noexcept { return region_length_; }

  /// Copies payload bytes [offset, offset + out.size()) by positioned reads, in every io_mode. Never raises a signal.
  /// Errors: read_beyond, file_shrank, io.
  void read(std::uint64_t offset, std::span<std::byte> out) const;
  void read(std::uint64_t offset, std::span<std::byte> out, failure&) const noexcept;

  /// Returns nothing if `view` of that dtype gives the elements where they lie in the archive; else why not.
  /// Reads the descriptor only. In `io_mode::read` no view is in place: `errc::not_mapped`, unless `view` would fail
  /// for another reason.
  [[nodiscard]] failure why_not_in_place(dtype as, stride_policy = stride_policy::apply) const noexcept;

  /// Returns the elements where they lie. Succeeds exactly if nothing must be undone, bytes are in native order, `T`
  /// matches the dtype, the address is aligned for `T`, and strides are dense. With `io_mode::read` the view is into
  /// memory that the archive owns. Takes no reference to the archive.
  /// Errors: encoded, filtered, compressed, masked, foreign_byte_order, misaligned, dtype_mismatch, odd_strides,
  /// payload_size; those of descriptor() and payload().
  template <element T>
  array_view<T> view(stride_policy order = stride_policy::apply) const {
    failure why;
    auto result = view<T>(order, why);
    detail::raise_if(why);
    return result;
  }
  template <element T>
  array_view<T> view(failure& why) const noexcept {
    return view<T>(stride_policy::apply, why);
  }
  template <element T>
  array_view<T> view(stride_policy order, failure& why) const noexcept {
    layout at;
    why = locate(dtype_of<T>, alignof(T), order, at);
    if (why) return {};
    return {static_cast<const T*>(at.data), at.dimensions};
  }

  /// Returns the number of bytes that decode() gives; 8 an element for `simple_packing` (§7). Reads the descriptor
  /// only. Errors: those of descriptor(); unknown_codec, bad_parameter, bad_combination, decoded_limit, shape_overflow.
  std::uint64_t decoded_size() const;
  std::uint64_t decoded_size(failure&) const noexcept;

  /// Returns the elements with everything undone (§6.2, §7). Bits behind the last element of a bitmask are 0. If
  /// nothing is to be undone and the archive is mapped, the tensor borrows the elements and keeps the archive alive;
  /// else it owns them. Stored bytes are copied by positioned reads, so that they cannot change while a codec reads
  /// them. Errors: those of decoded_size(); codec_absent, codec_forbidden, codec_failed, decoded_size, bad_mask,
  /// odd_strides, out_of_memory, file_shrank, io.
  tensor decode(const decode_options& = {}) const;
  tensor decode(failure& why) const noexcept { return decode({}, why); }
  tensor decode(const decode_options&, failure&) const noexcept;

  /// Decodes into a tensor that was used before. Uses its memory again if it is large enough, which spares the system
  /// the clearing of fresh pages. Never borrows. After a failure the tensor is empty and keeps its memory.
  /// Errors: as decode().
  void decode_into(tensor& out, const decode_options& = {}) const;
  void decode_into(tensor& out, failure& why) const noexcept { decode_into(out, {}, why); }
  void decode_into(tensor& out, const decode_options&, failure&) const noexcept;

  /// Decodes into memory of the caller: exactly decoded_size() bytes, which need not be aligned, or exactly the
  /// elements. Elements come in the order of the payload, whatever the strides say. After a failure `out` holds
  /// anything. Errors: as decode(), and invalid_option (another size), dtype_mismatch.
  void decode_into(std::span<std::byte> out, const decode_options& = {}) const;
  void decode_into(std::span<std::byte> out, failure& why) const noexcept { decode_into(out, {}, why); }
  void decode_into(std::span<std::byte> out, const decode_options&, failure&) const noexcept;
  template <element T, std::size_t Extent>
  void decode_into(std::span<T, Extent> out, const decode_options& how = {}) const {
    failure why;
    decode_into(out, how, why);
    detail::raise_if(why);
  }
  template <element T, std::size_t Extent>
  void decode_into(std::span<T, Extent> out, failure& why) const noexcept {
    decode_into(out, {}, why);
  }
  template <element T, std::size_t Extent>
  void decode_into(std::span<T, Extent> out, const decode_options& how, failure& why) const noexcept {
    why = decodes_as(dtype_of<T>);
    if (!why) decode_into(std::span<std::byte>(std::as_writable_bytes(out)), how, why);
  }

  /// Returns the elements as another type, in native byte order. A number that the type cannot hold is an error: out of
  /// range, a fraction or NaN for an integer, an imaginary part other than 0 for a real type. Rounding to the nearest
  /// of a narrower float is no error. Bits become 0 and 1. Errors: as decode(), and not_representable (found = number
  /// of the element).
  tensor decode_as(dtype, const decode_options& = {}) const;
  tensor decode_as(dtype as, failure& why) const noexcept { return decode_as(as, {}, why); }
  tensor decode_as(dtype, const decode_options&, failure&) const noexcept;
  template <element T>
  tensor decode_as(const decode_options& how = {}) const {
    return decode_as(dtype_of<T>, how);
  }
  template <element T>
  tensor decode_as(failure& why) const noexcept {
    return decode_as(dtype_of<T>, {}, why);
  }
  template <element T>
  tensor decode_as(const decode_options& how, failure& why) const noexcept {
    return decode_as(dtype_of<T>, how, why);
  }

  /// Decodes as another type into memory of the caller, which holds exactly the elements. Elements come in the order of
  /// the payload, whatever the strides say. After a failure `out` holds anything.
  /// Errors: as decode_as(), and invalid_option (another size).
  template <element T>
  void decode_as_into(std::span<T> out, const decode_options& how = {}) const {
    failure why;
    decode_as_into<T>(out, how, why);
    detail::raise_if(why);
  }
  template <element T>
  void decode_as_into(std::span<T> out, failure& why) const noexcept {
    decode_as_into<T>(out, {}, why);
  }
  template <element T>
  void decode_as_into(std::span<T> out, const decode_options& how, failure& why) const noexcept {
    decode_converted(dtype_of<T>, std::as_writable_bytes(out), false, how, why);
  }

  /// Returns all elements as `T`, converted as by decode_as(), in C order of the shape. Strides say which element is
  /// where, unless options say `element_order::as_stored`. Errors: as decode_as().
  template <element T>
  std::vector<T> to_vector(const decode_options& how = {}) const {
    failure why;
    auto out = to_vector<T>(how, why);
    detail::raise_if(why);
    return out;
  }
  template <element T>
  std::vector<T> to_vector(failure& why) const noexcept {
    return to_vector<T>({}, why);
  }
  template <element T>
  std::vector<T> to_vector(const decode_options&, failure&) const noexcept;

  /// Decodes a part as a `part_reader` made for this one call does, see there. To read many parts, keep a reader.
  tensor decode_range(std::uint64_t offset, std::uint64_t count, const decode_options& = {}) const;
  tensor decode_range(std::uint64_t offset, std::uint64_t count, failure& why) const noexcept {
    return decode_range(offset, count, {}, why);
  }
  tensor decode_range(std::uint64_t offset, std::uint64_t count, const decode_options&, failure&) const noexcept;
  tensor decode_slab(const slab&, const decode_options& = {}) const;
  tensor decode_slab(const slab& box, failure& why) const noexcept { return decode_slab(box, {}, why); }
  tensor decode_slab(const slab&, const decode_options&, failure&) const noexcept;
  tgmap::part_cost part_cost(const slab&, const decode_options& = {}) const;
  tgmap::part_cost part_cost(const slab& box, failure& why) const noexcept { return part_cost(box, {}, why); }
  tgmap::part_cost part_cost(const slab&, const decode_options&, failure&) const noexcept;

  /// Checks that `szip_block_offsets` are where the intervals of the stream begin (§7.4). Succeeds without such
  /// offsets. Values do not depend on this: an object whose offsets are wrong is decoded whole, for parts too. Errors:
  /// those of descriptor(); bad_parameter (found = number of the first wrong offset), codec_absent, codec_forbidden,
  /// out_of_memory, file_shrank, io. Complexity: O(stored bytes); nothing is decoded.
  void verify_block_offsets() const;
  void verify_block_offsets(failure&) const noexcept;

  /// Returns which elements were NaN or infinite when they were written (§6.2): one mask for each kind there is.
  /// Errors: those of descriptor(); unknown_codec, codec_absent, codec_forbidden, codec_failed, bad_mask,
  /// bad_combination, out_of_memory, file_shrank, io.
  /// Complexity: O(elements / 8); elements are not read.
  std::vector<missing_mask> masks() const;
  std::vector<missing_mask> masks(failure&) const noexcept;

  /// Returns the digest stored for this object: version 3 in its frame, version 2 in its descriptor. Nothing if there
  /// is none, if it is by another algorithm than xxh3, or if two are stated. O(bytes of the descriptor).
  std::optional<std::uint64_t> stored_hash() const noexcept;

  /// Compares the stored digest: version 3 over the frame's body, version 2 over the payload (§4). Reads all of it
  /// without raising a signal. Errors: io, file_shrank, duplicate_key; mismatch and absence are results.
  [[nodiscard]] hash_result verify() const;
  [[nodiscard]] hash_result verify(failure&) const noexcept;

 private:
  friend struct detail::access;
  object(const detail::archive_state&, const message_position&, std::size_t, const detail::object_facts&) noexcept;
  struct layout {
    const void* data = nullptr;
    detail::dimensions dimensions{};
  };
  failure locate(dtype, std::size_t alignment, stride_policy, layout&) const noexcept;
  failure decodes_as(dtype) const noexcept;
  std::size_t elements_as(dtype, failure&) const noexcept;
  void decode_converted(dtype, std::span<std::byte>, bool by_strides, const decode_options&, failure&) const noexcept;

  tgmap::frame frame_{};
  std::size_t index_ = 0;
  std::uint64_t region_at_ = 0, region_length_ = 0, payload_length_ = 0;  // from the start of the frame
  std::uint64_t descriptor_at_ = 0, descriptor_length_ = 0;
};

}  // namespace v0
}  // namespace tgmap
