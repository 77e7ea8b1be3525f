// SPDX-License-Identifier: Apache-2.0
#pragma once

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

/// An `object` is a handle to one data object of a message: its descriptor and its payload.
///
/// It is small and trivially copyable, and it owns nothing. Making one reads the frame's header and tail and, if there
/// are masks, its descriptor. decode/part_reader.hpp reads parts of an object, decode/decode_many.hpp many objects.
/// Errors: one overload throws `error`, the other fills `failure&`. A default-constructed object gives `no_archive`.
/// Lifetime: handle, spans and views are valid while the archive, or a pin of it, lives; a tensor needs neither.
/// Thread safety: any number of threads may call all members.
/// Spec: §2.7.
class TGMAP_API object {
 public:
  object() noexcept = default;
  std::size_t index() const noexcept { return index_; }  ///< number in its message
  const tgmap::frame& frame() const noexcept TGMAP_LIFETIMEBOUND { return frame_; }

  /// Returns the descriptor. Parses it again at each call; keep the result.
  /// Errors: bad_descriptor, unknown_dtype, shape_overflow, too_many_dimensions, mask_out_of_range, bad_cbor,
  /// duplicate_key, out_of_memory, io. Complexity: O(bytes of the descriptor); allocates nothing up to 6 dimensions.
  tgmap::descriptor descriptor() const;
  tgmap::descriptor descriptor(failure&) const noexcept;

  /// Returns the keys of this object: preceder, base entry, message-wide keys, a descriptor's `name`. No `_reserved_`.
  /// Errors: as `message::metadata`.
  /// Complexity: O(bytes of the message's metadata), later mostly O(1). Reads no payload.
  tgmap::metadata metadata() const;
  tgmap::metadata metadata(failure&) const noexcept;

  /// Returns the encoded tensor as stored, without mask blobs. In `io_mode::read` the object is read once, into memory
  /// that the archive owns until it is closed.
  /// Errors: resident_limit, out_of_memory, io.
  /// Complexity: O(1), no copy.
  std::span<const std::byte> payload() const;
  std::span<const std::byte> payload(failure&) const noexcept;
  std::uint64_t payload_size() const noexcept { return payload_length_; }
  std::uint64_t payload_offset() const noexcept { return frame_.offset() + region_at_; }  ///< archive offset
  /// Returns the payload and the mask blobs, as the frame holds them.
  /// Errors: as payload().
  std::span<const std::byte> payload_and_masks() const;
  std::span<const std::byte> payload_and_masks(failure&) const noexcept;
  std::uint64_t payload_and_masks_size() const noexcept { return region_length_; }
  /// Copies payload bytes [offset, offset + out.size()) by positioned reads, in every `io_mode`. Never raises a signal.
  /// Errors: read_past_end, file_shrank, io.
  void read(std::uint64_t offset, std::span<std::byte> out) const;
  void read(std::uint64_t offset, std::span<std::byte> out, failure&) const noexcept;

  /// Returns why `view` of this dtype cannot give the elements in place, or nothing if it can. Reads the descriptor
  /// only. In `io_mode::read` no view is in place: the reason is `not_mapped` unless `view` fails for another one.
  [[nodiscard]] failure why_not_in_place(dtype as, stride_policy = stride_policy::apply) const noexcept;

  /// Returns the elements in place. The object must be plain and in native byte order, with the dtype of `T`, an
  /// address aligned for `T` and dense strides. In `io_mode::read` the view is into memory that the archive owns.
  /// Errors: encoded, filtered, compressed, masked, foreign_byte_order, misaligned, dtype_mismatch,
  /// unsupported_strides, payload_size_mismatch; those of descriptor(), payload(). Complexity: O(1) but for the first.
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

  /// Returns the number of bytes that decode() gives: 8 an element for `simple_packing`. Reads the descriptor only.
  /// Errors: unknown_codec, bad_parameter, bad_combination, decoded_limit, decoded_size_mismatch, shape_overflow; those
  /// of descriptor(). Spec: §7.
  std::uint64_t decoded_size() const;
  std::uint64_t decoded_size(failure&) const noexcept;

  /// Returns the elements with all stages and masks undone. The tensor borrows them if the object is plain and the
  /// archive is mapped, and keeps the archive alive; else it owns them. Stored bytes are copied by positioned reads, so
  /// that they cannot change while a codec reads them. The bits behind the last element of a bitmask are 0.
  /// Errors: codec_absent, codec_forbidden, codec_failed, decoded_size_mismatch, bad_mask, unsupported_strides,
  /// out_of_memory, file_shrank, io; with `verify` hash_mismatch, duplicate_key; those of decoded_size().
  /// Spec: §6.2, §7.
  tensor decode(const decode_options& = {}) const;
  tensor decode(failure& why) const noexcept { return decode({}, why); }
  tensor decode(const decode_options&, failure&) const noexcept;

  /// Decodes into a used tensor. Reuses its memory if that is large enough; then the system need not clear fresh pages.
  /// Never borrows. After a failure the tensor is empty and keeps its memory.
  /// Errors: as decode().
  void decode_into(tensor& out, const decode_options& = {}) const;
  void decode_into(tensor& out, failure& why) const noexcept { decode_into(out, {}, why); }
  void decode_into(tensor& out, const decode_options&, failure&) const noexcept;
  /// Decodes into memory of the caller: exactly decoded_size() bytes, aligned or not, or exactly the elements. Elements
  /// are in payload order, whatever the strides. After a failure the content of `out` is unspecified.
  /// Errors: invalid_option (another size), dtype_mismatch; those of decode().
  void decode_into(std::span<std::byte> out, const decode_options& = {}) const;
  void decode_into(std::span<std::byte> out, failure& why) const noexcept { decode_into(out, {}, why); }
  void decode_into(std::span<std::byte> out, const decode_options&, failure&) const noexcept;
  template <element T, std::size_t Extent>
  void decode_into(std::span<T, Extent> out, const decode_options& options = {}) const {
    failure why;
    decode_into(out, options, why);
    detail::raise_if(why);
  }
  template <element T, std::size_t Extent>
  void decode_into(std::span<T, Extent> out, failure& why) const noexcept {
    decode_into(out, {}, why);
  }
  template <element T, std::size_t Extent>
  void decode_into(std::span<T, Extent> out, const decode_options& options, failure& why) const noexcept {
    why = decode_to(dtype_of<T>, std::as_writable_bytes(out), options);
  }

  /// Returns the elements as another type, in native byte order. Bits become 0 and 1. Numbers are rounded to the
  /// nearest narrower float. A number out of range, a fraction or NaN as an integer, and an imaginary part other than 0
  /// as a real number are errors.
  /// Errors: not_representable (found = number of the element); those of decode().
  tensor decode_as(dtype, const decode_options& = {}) const;
  tensor decode_as(dtype as, failure& why) const noexcept { return decode_as(as, {}, why); }
  tensor decode_as(dtype, const decode_options&, failure&) const noexcept;
  template <element T>
  tensor decode_as(const decode_options& options = {}) const {
    return decode_as(dtype_of<T>, options);
  }
  template <element T>
  tensor decode_as(failure& why) const noexcept {
    return decode_as(dtype_of<T>, {}, why);
  }
  template <element T>
  tensor decode_as(const decode_options& options, failure& why) const noexcept {
    return decode_as(dtype_of<T>, options, why);
  }
  /// Decodes as another type into memory of the caller, which holds exactly the elements. Elements are in payload
  /// order, whatever the strides. After a failure the content of `out` is unspecified.
  /// Errors: invalid_option (another size); those of decode_as().
  template <element T>
  void decode_as_into(std::span<T> out, const decode_options& options = {}) const {
    failure why;
    decode_as_into<T>(out, options, why);
    detail::raise_if(why);
  }
  template <element T>
  void decode_as_into(std::span<T> out, failure& why) const noexcept {
    decode_as_into<T>(out, {}, why);
  }
  template <element T>
  void decode_as_into(std::span<T> out, const decode_options& options, failure& why) const noexcept {
    decode_converted(dtype_of<T>, std::as_writable_bytes(out), options, why);
  }

  /// Returns all elements as `T`, converted as by decode_as(), in C order of the shape. Applies the strides unless the
  /// options say `stride_policy::ignore`.
  /// Errors: as decode_as().
  template <element T>
  std::vector<T> to_vector(const decode_options& options = {}) const {
    failure why;
    auto out = to_vector<T>(options, why);
    detail::raise_if(why);
    return out;
  }
  template <element T>
  std::vector<T> to_vector(failure& why) const noexcept {
    return to_vector<T>({}, why);
  }
  template <element T>
  std::vector<T> to_vector(const decode_options&, failure&) const noexcept;
  /// Decodes a part with a `part_reader` that is made for this one call. Keep a reader to read many parts.
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

  /// Checks that each of the `szip_block_offsets` is where an interval of the stream begins. Succeeds without offsets.
  /// Values do not depend on this: an object with wrong offsets is decoded whole, for parts too.
  /// Errors: bad_parameter (found = number of the first wrong offset), codec_absent, codec_forbidden, out_of_memory,
  /// file_shrank, io; those of descriptor().
  /// Complexity: O(stored bytes); nothing is decoded.
  /// Spec: §7.4.
  void verify_block_offsets() const;
  void verify_block_offsets(failure&) const noexcept;

  /// Returns the elements that were NaN or infinite when they were written, one mask for each kind that occurs.
  /// Errors: unknown_codec, codec_absent, codec_forbidden, codec_failed, bad_mask, bad_combination, out_of_memory,
  /// file_shrank, io; those of descriptor().
  /// Complexity: O(elements / 8); elements are not read.
  /// Spec: §6.2.
  std::vector<missing_mask> masks() const;
  std::vector<missing_mask> masks(failure&) const noexcept;
  /// Returns the stored hash: version 3 of the frame, version 2 of the descriptor. Returns nothing if there is none, if
  /// its algorithm is not xxh3, or if two are stated.
  /// Complexity: O(bytes of the descriptor).
  std::optional<std::uint64_t> stored_hash() const noexcept;
  /// Compares the stored hash: version 3 with the frame's body, version 2 with the payload. Never raises a signal.
  /// `found` is the hash of the bytes. A mismatch or a missing hash is a result.
  /// Errors: io, file_shrank, duplicate_key.
  /// Complexity: O(bytes of the object).
  /// Spec: §4.
  [[nodiscard]] hash_result verify() const;
  [[nodiscard]] hash_result verify(failure&) const noexcept;
  [[nodiscard]] hash_result verify(std::uint64_t& found, failure&) const noexcept;

 private:
  friend struct detail::access;
  object(const detail::archive_state&, const message_position&, std::size_t, const detail::object_parts&) noexcept;
  struct layout {
    const void* data = nullptr;
    detail::dimensions dimensions{};
  };
  failure locate(dtype, std::size_t alignment, stride_policy, layout&) const noexcept;
  failure locate_by_descriptor(dtype, std::size_t alignment, stride_policy, layout&) const noexcept;
  failure decode_to(std::optional<dtype> required, std::span<std::byte>, const decode_options&) const noexcept;
  void decode_converted(dtype, std::span<std::byte>, const decode_options&, failure&) const noexcept;
  tgmap::frame frame_{};
  std::size_t index_ = 0;
  std::uint64_t region_at_ = 0, region_length_ = 0, payload_length_ = 0;  // from the start of the frame
  std::uint64_t descriptor_length_ = 0;                                   // before the region, or right behind it
  const detail::element_layout* elements_ = nullptr;                      // of an object that was viewed before
};

}  // namespace v0
}  // namespace tgmap
