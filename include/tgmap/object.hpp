// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <tgmap/array_view.hpp>
#include <tgmap/decoding.hpp>
#include <tgmap/descriptor.hpp>
#include <tgmap/frame.hpp>
#include <tgmap/metadata.hpp>

namespace tgmap {
inline namespace v0 {

/// One data object of a message (§2.7): its descriptor and its payload.
///
/// A small handle: trivially copyable, owns nothing, valid while the archive, or a pin of it, lives. All members may
/// run in any number of threads. Making the handle read the frame's header and tail and, for masks, its descriptor.
class TGMAP_API object : public object_decoding {
 public:
  object() noexcept = default;

  std::size_t index() const noexcept { return index_; }  ///< number in its message
  const tgmap::frame& frame() const noexcept TGMAP_LIFETIMEBOUND { return frame_; }

  /// Parsed anew at each call: O(bytes of the descriptor), no allocation up to 6 dimensions. Keep the result.
  /// Errors: bad_descriptor, unknown_dtype, shape_overflow, too_many_dimensions, mask_range, bad_cbor, duplicate_key,
  /// out_of_memory, io.
  tgmap::descriptor descriptor() const;
  tgmap::descriptor descriptor(failure&) const noexcept;

  /// What holds for this object: preceder, over its base entry, over message-wide keys; `_reserved_` is hidden.
  /// O(bytes of the message's metadata), no payload is touched. Errors: as `message::metadata`.
  tgmap::metadata metadata() const;
  tgmap::metadata metadata(failure&) const noexcept;

  /// The encoded tensor as stored, without mask blobs. O(1), no copy; with `io_mode::read` the object is read once
  /// into memory that the archive owns until it is closed. Errors: resident_limit, out_of_memory, io.
  std::span<const std::byte> payload() const;
  std::span<const std::byte> payload(failure&) const noexcept;
  std::uint64_t payload_size() const noexcept { return payload_length_; }
  std::uint64_t payload_offset() const noexcept { return frame_.offset() + region_at_; }  ///< archive offset

  /// Payload and mask blobs, as the frame holds them.
  std::span<const std::byte> region() const;
  std::span<const std::byte> region(failure&) const noexcept;
  std::uint64_t region_size() const noexcept { return region_length_; }

  /// Copies payload bytes [from, from + out.size()) by positioned reads, in every io_mode: truncation and I/O errors
  /// are errors, never signals. Errors: read_beyond, file_shrank, io.
  void read(std::span<std::byte> out, std::uint64_t from = 0) const;
  void read(std::span<std::byte> out, std::uint64_t from, failure&) const noexcept;

  /// Whether `view` of that dtype gives the elements where they lie in the archive; else why not. Reads the descriptor
  /// only. With `io_mode::read` nothing lies in place: `errc::not_mapped`, unless `view` would fail for another reason.
  failure in_place(dtype as, element_order = element_order::by_strides) const noexcept;

  /// The elements where they lie. Succeeds exactly when nothing must be undone, bytes are in native order, `T` matches
  /// the dtype, the address is aligned for `T`, and strides are dense. Errors: encoded, filtered, compressed, masked,
  /// foreign_byte_order, misaligned, dtype_mismatch, odd_strides, payload_size; those of descriptor() and payload().
  /// With `io_mode::read` the view is into memory that the archive owns.
  template <element T>
  array_view<T> view(element_order order = element_order::by_strides) const {
    failure why;
    auto result = view<T>(why, order);
    detail::raise_if(why);
    return result;
  }
  template <element T>
  array_view<T> view(failure& why, element_order order = element_order::by_strides) const noexcept {
    layout at;
    why = locate(dtype_of<T>, alignof(T), order, at);
    if (why) return {};
    return {static_cast<const T*>(at.data), at.dimensions};
  }

  /// The digest stored for this object: version 3 in its frame, version 2 in its descriptor. Nothing when there is none
  /// or it is by another algorithm than xxh3, or two are stated. O(bytes of the descriptor).
  std::optional<std::uint64_t> stored_hash() const noexcept;

  /// Compares the stored digest: version 3 over the frame's body, version 2 over the payload (§4). Reads all of it
  /// without raising a signal. Errors: io, file_shrank, duplicate_key; mismatch and absence are results.
  hash_state verify() const;
  hash_state verify(failure&) const noexcept;

 private:
  friend struct detail::access;
  object(const detail::archive_state&, const message_position&, std::size_t, const detail::object_facts&) noexcept;
  struct layout {
    const void* data = nullptr;
    detail::dimensions dimensions{};
  };
  failure locate(dtype, std::size_t alignment, element_order, layout&) const noexcept;

  tgmap::frame frame_{};
  std::size_t index_ = 0;
  std::uint64_t region_at_ = 0, region_length_ = 0, payload_length_ = 0;  // from the start of the frame
  std::uint64_t descriptor_at_ = 0, descriptor_length_ = 0;
};

}  // namespace v0
}  // namespace tgmap
