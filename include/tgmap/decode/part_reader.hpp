// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <tgmap/options.hpp>
#include <tgmap/tensor.hpp>
#include <vector>

namespace tgmap {
inline namespace v0 {

/// A `slab` is a box of elements, with one entry for each dimension: `reader.slab({{0, 0}, {2, 3}})`. It owns its
/// numbers, so that it may be kept.
struct slab {
  std::vector<std::uint64_t> start{};   ///< index of the first element
  std::vector<std::uint64_t> count{};   ///< number of elements
  std::vector<std::uint64_t> stride{};  ///< distance between two elements, not 0; empty: 1 in every dimension

  slab() noexcept = default;

  /// Copies lists, arrays, vectors or spans. Errors: out_of_memory.
  slab(std::initializer_list<std::uint64_t> from, std::initializer_list<std::uint64_t> size,
       std::initializer_list<std::uint64_t> step = {})
      : start(from), count(size), stride(step) {}
  slab(std::span<const std::uint64_t> from, std::span<const std::uint64_t> size,
       std::span<const std::uint64_t> step = {})
      : start(from.begin(), from.end()), count(size.begin(), size.end()), stride(step.begin(), step.end()) {}
};

/// A `part_cost` is the number of bytes that reading a part takes.
struct part_cost {
  std::uint64_t bytes_read = 0;       ///< from the archive
  std::uint64_t bytes_decoded = 0;    ///< by the codecs, of which the part is kept
  bool decodes_whole_object = false;  ///< the pipeline cannot decode less than the whole object
};

class object;

namespace detail {
struct part_state;
}

/// A `part_reader` reads parts of one object. It reads and decodes only the bytes that hold a part, as far as the
/// pipeline allows.
///
/// Plain and packed payloads are read by bytes and bits, szip by its stored block offsets, blosc2 by chunks and blocks,
/// and zfp of fixed rate by blocks of 4. All else is decoded whole at each call: zstd, lz4, sz3, rle, roaring, shuffle,
/// the other modes of zfp, and szip without offsets. cost() reports it in advance.
///
/// A part has the same values as the whole object. The offsets of szip are therefore compared with the stream at their
/// first use, which reads all stored bytes before the part. The archive remembers the result. If they are wrong, each
/// call decodes the whole object.
/// Complexity: opening parses the descriptor, locates the pieces and decodes masks whole. Keep the reader for many
/// parts.
/// Lifetime: valid while the archive, or a pin of it, lives. Results own their memory.
/// Thread safety: any number of threads may read through one reader.
/// Spec: §7.11.
class TGMAP_API part_reader {
 public:
  part_reader() noexcept;  ///< no object: every call fails with no_archive

  /// Opens an object. Errors: those of object::decode, except that no codec has run yet.
  explicit part_reader(const object&, const decode_options& = {});
  static part_reader open(const object&, const decode_options&, failure&) noexcept;
  static part_reader open(const object& source, failure& why) noexcept { return open(source, {}, why); }
  part_reader(part_reader&&) noexcept;
  part_reader& operator=(part_reader&&) noexcept;
  ~part_reader();

  /// Returns elements [offset, offset + count), in the order of the payload, as a tensor of one dimension.
  /// Errors: no_archive; out_of_range; those of object::decode.
  tensor range(std::uint64_t offset, std::uint64_t count) const;
  tensor range(std::uint64_t offset, std::uint64_t count, failure&) const noexcept;

  /// Decodes the same elements into `out`, which has exactly their size. A bitmask has eight elements in a byte; the
  /// first one goes to the highest bit.
  /// Errors: as range(); invalid_option (expected = bytes of the elements, found = bytes of `out`).
  void range_into(std::uint64_t offset, std::uint64_t count, std::span<std::byte> out) const;
  void range_into(std::uint64_t offset, std::uint64_t count, std::span<std::byte> out, failure&) const noexcept;

  /// Returns a box as a dense tensor in C order, whose shape is `slab::count`. Indices are those of the descriptor's
  /// shape. Its strides locate the elements, unless the options say `stride_policy::ignore`.
  /// Errors: no_archive; out_of_range; invalid_option (a stride of 0, or another number of dimensions); those of
  /// object::decode.
  tensor slab(const tgmap::slab&) const;
  tensor slab(const tgmap::slab&, failure&) const noexcept;

  /// Decodes box i into `out[i]`, which has exactly its size. Bytes that are compressed together are decompressed once
  /// for all boxes.
  /// Errors: as slab(); invalid_option (another number of outputs than of boxes, or an output of another size).
  void slabs_into(std::span<const tgmap::slab>, std::span<const std::span<std::byte>> out) const;
  void slabs_into(std::span<const tgmap::slab>, std::span<const std::span<std::byte>> out, failure&) const noexcept;

  /// Returns the cost of range() or slab() once the offsets of szip are proven. Reads nothing.
  /// Errors: as that call.
  part_cost cost(std::uint64_t offset, std::uint64_t count) const;
  part_cost cost(std::uint64_t offset, std::uint64_t count, failure&) const noexcept;
  part_cost cost(const tgmap::slab&) const;
  part_cost cost(const tgmap::slab&, failure&) const noexcept;

 private:
  std::unique_ptr<const detail::part_state> state_;
};

}  // namespace v0
}  // namespace tgmap
