// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/descriptor.hpp>
#include <tgmap/error.hpp>
#include <tgmap/missing_mask.hpp>
#include <tgmap/slab.hpp>
#include <tgmap/tensor.hpp>
#include <vector>

namespace tgmap {
inline namespace v0 {

class executor;

/// In which byte order elements come out.
enum class output_order : std::uint8_t {
  native,     ///< this machine's
  as_stored,  ///< the descriptor's
};

/// How an object is decoded. Aggregate: `{.missing = false}`.
struct decode_options {
  output_order bytes = output_order::native;

  /// Whether NaN and infinities that masks tell of are put back (§6.2); without, such elements are what was stored in
  /// their place, mostly 0.
  bool missing = true;

  /// As for `object::view`: strides of the descriptor that say how the dense payload is to be read are kept.
  element_order elements = element_order::by_strides;

  /// Whose threads decode one object, where its pipeline allows: bare and packed payloads, szip with block offsets,
  /// blosc2, zfp of fixed rate; everything else takes one. Null: the calling thread alone. Small objects never take
  /// more than one. The answer is the same with any number.
  executor* on = nullptr;

  /// Of parts: bytes between two wanted places that are read along with them rather than skipped. Default: 16 KiB, what
  /// comes in the time of one more read.
  std::uint64_t read_ahead = 16384;
};

/// The decoding members of object; part_reader.hpp reads parts, decode_many.hpp many objects at once.
/// Where the two doors are: the one without `failure&` throws `error` with what the other one stores.
class TGMAP_API object_decoding {
 public:
  /// Bytes that decode() gives: of `simple_packing` 8 an element (§7). From the descriptor alone.
  /// Errors: those of object::descriptor; unknown_codec, bad_parameter, bad_combination, decoded_limit, shape_overflow.
  std::uint64_t decoded_size() const;
  std::uint64_t decoded_size(failure&) const noexcept;

  /// The elements, with everything undone (§6.2, §7). Bits behind the last element of a bitmask are 0, whatever is
  /// stored there. Where nothing is to be undone and the archive is mapped, elements are borrowed, not copied. Needs
  /// memory for the elements, and for the decompressed bytes where an encoding or a filter follows; stored bytes are
  /// copied by positioned reads, so that they cannot change while a codec reads them.
  /// Errors: those of decoded_size(); codec_absent, codec_forbidden, codec_failed, decoded_size, bad_mask, odd_strides,
  /// out_of_memory, file_shrank, io.
  tensor decode(const decode_options& = {}) const;
  tensor decode(const decode_options&, failure&) const noexcept;

  /// The same into a tensor that was used before: its memory serves again when it is large enough, which saves the
  /// system the work of clearing fresh pages. Never borrows. After a failure the tensor is empty and keeps its memory.
  void decode_into(tensor& out, const decode_options& = {}) const;
  void decode_into(tensor& out, const decode_options&, failure&) const noexcept;

  /// The same into memory of the caller's, which is of exactly decoded_size() bytes and need not be aligned, or holds
  /// exactly the elements. Strides are not looked at: elements come in the order of the payload. After a failure `out`
  /// holds anything. Errors: as decode(), and invalid_option (another size), dtype_mismatch.
  void decode_into(std::span<std::byte> out, const decode_options& = {}) const;
  void decode_into(std::span<std::byte> out, const decode_options&, failure&) const noexcept;
  template <element T, std::size_t Extent>
  void decode_into(std::span<T, Extent> out, const decode_options& how = {}) const {
    failure why = decodes_as(dtype_of<T>);
    if (!why) decode_into(std::span<std::byte>(std::as_writable_bytes(out)), how, why);
    detail::raise_if(why);
  }

  /// The elements as another type, in native byte order. A number that `T` cannot hold is an error, not another
  /// number: what is out of range, a fraction or NaN where `T` is an integer, an imaginary part other than 0 where `T`
  /// is real. Rounding to the nearest of a narrower float is no error. Bits become 0 and 1.
  /// Errors: as decode(), and not_representable (found = number of the element).
  template <element T>
  tensor decode_as(const decode_options& how = {}) const {
    failure why;
    auto out = decode_as(dtype_of<T>, how, why);
    detail::raise_if(why);
    return out;
  }
  tensor decode_as(dtype, const decode_options&, failure&) const noexcept;

  /// Part of the elements: what a `part_reader` made for this one call gives, see there. To read many, keep one.
  tensor decode_range(std::uint64_t offset, std::uint64_t count, const decode_options& = {}) const;
  tensor decode_range(std::uint64_t offset, std::uint64_t count, const decode_options&, failure&) const noexcept;
  tensor decode_slab(const slab&, const decode_options& = {}) const;
  tensor decode_slab(const slab&, const decode_options&, failure&) const noexcept;
  tgmap::part_cost part_cost(const slab&, const decode_options& = {}) const;
  tgmap::part_cost part_cost(const slab&, const decode_options&, failure&) const noexcept;

  /// Checks that `szip_block_offsets` are where the intervals of the stream begin (§7.4). Values do not depend on this:
  /// an object whose offsets are wrong is decoded whole, for parts too. Succeeds for objects without such offsets.
  /// Complexity: O(stored bytes); nothing is decoded. Errors: those of object::descriptor; bad_parameter
  /// (found = number of the first offset that is wrong), codec_absent, codec_forbidden, out_of_memory, file_shrank, io.
  void verify_offsets() const;
  void verify_offsets(failure&) const noexcept;

  /// Which elements were NaN or infinite when they were written (§6.2), one mask for each kind there is. Elements are
  /// not read. O(elements / 8). Errors: those of object::descriptor; unknown_codec, codec_absent, codec_forbidden,
  /// codec_failed, bad_mask, bad_combination, out_of_memory, file_shrank, io.
  std::vector<missing_mask> masks() const;
  std::vector<missing_mask> masks(failure&) const noexcept;

 protected:
  object_decoding() noexcept = default;

 private:
  failure decodes_as(dtype) const noexcept;
};

}  // namespace v0
}  // namespace tgmap
