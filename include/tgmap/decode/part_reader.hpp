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

/// A box of elements, one entry a dimension: `count` of them from `start` on, each `stride` after the one before.
/// `stride` empty: 1 everywhere; no stride is 0. Owns its numbers, so that it may be kept: `reader.slab({{0, 0}, {2,
/// 3}})`.
struct slab {
  std::vector<std::uint64_t> start{};
  std::vector<std::uint64_t> count{};
  std::vector<std::uint64_t> stride{};

  slab() noexcept = default;
  /// Copies what is given: lists, arrays, vectors or spans. Errors: out_of_memory.
  slab(std::initializer_list<std::uint64_t> from, std::initializer_list<std::uint64_t> size,
       std::initializer_list<std::uint64_t> step = {})
      : start(from), count(size), stride(step) {}
  slab(std::span<const std::uint64_t> from, std::span<const std::uint64_t> size,
       std::span<const std::uint64_t> step = {})
      : start(from.begin(), from.end()), count(size.begin(), size.end()), stride(step.begin(), step.end()) {}
};

/// What reading a part takes, in bytes.
struct part_cost {
  std::uint64_t bytes_read = 0;       ///< of the archive
  std::uint64_t bytes_decoded = 0;    ///< by the codecs, of which the part is kept
  bool decodes_whole_object = false;  ///< nothing less than the whole object can be decoded
};

class object;

namespace detail {
struct part_state;
}

/// Reads parts of one object: only what holds them is read and decoded, as far as its pipeline allows (§7.11).
///
/// Bare and packed payloads by bytes and bits; szip by its stored block offsets; blosc2 by chunks and blocks; zfp of
/// fixed rate by blocks of 4. zstd, lz4, sz3, rle, roaring, shuffle, other modes of zfp, and szip without offsets are
/// decoded whole for every call: `cost` tells beforehand. A part always has the values that the whole has there:
/// offsets of szip are compared with the stream when they are first used, which reads all that is stored before the
/// part; the archive remembers the result. If they are wrong, the whole is decoded for every call. Making a reader
/// parses the descriptor, reads where pieces are, and decodes masks whole, so keep it to read many parts. Any number of
/// threads may read through one.
/// What it returns owns its memory.
/// Lifetime: a reader is valid while the archive, or a pin of it, lives.
class TGMAP_API part_reader {
 public:
  part_reader() noexcept;
  /// Errors: as object::decode, except that no codec has run yet.
  explicit part_reader(const object&, const decode_options& = {});
  static part_reader open(const object&, const decode_options&, failure&) noexcept;
  static part_reader open(const object& of, failure& why) noexcept { return open(of, {}, why); }
  part_reader(part_reader&&) noexcept;
  part_reader& operator=(part_reader&&) noexcept;
  ~part_reader();

  /// Elements [offset, offset + count) in the order of the payload, as a tensor of one dimension. `out`: of exactly as
  /// many bytes; of a bitmask, whose bits begin at the high bit of a byte, eight elements a byte.
  /// Errors: no_archive, out_of_range, and those of object::decode.
  tensor range(std::uint64_t offset, std::uint64_t count) const;
  tensor range(std::uint64_t offset, std::uint64_t count, failure&) const noexcept;
  void range_into(std::uint64_t offset, std::uint64_t count, std::span<std::byte> out) const;
  void range_into(std::uint64_t offset, std::uint64_t count, std::span<std::byte> out, failure&) const noexcept;

  /// A box, as a dense tensor in C order of the shape `count`. Indices are those of the descriptor's shape; its strides
  /// say which element is where, unless options say `element_order::as_stored`.
  /// Errors: out_of_range, invalid_option (a stride of 0; another number of dimensions), and those of object::decode.
  tensor slab(const tgmap::slab&) const;
  tensor slab(const tgmap::slab&, failure&) const noexcept;

  /// Many boxes, each into memory of exactly its size: what is compressed together is decompressed once for all.
  void slabs(std::span<const tgmap::slab>, std::span<const std::span<std::byte>> out) const;
  void slabs(std::span<const tgmap::slab>, std::span<const std::span<std::byte>> out, failure&) const noexcept;

  /// Returns what such a call takes once the offsets of szip are proven; nothing is read. Errors: as the call.
  part_cost cost(std::uint64_t offset, std::uint64_t count) const;
  part_cost cost(std::uint64_t offset, std::uint64_t count, failure&) const noexcept;
  part_cost cost(const tgmap::slab&) const;
  part_cost cost(const tgmap::slab&, failure&) const noexcept;

 private:
  std::unique_ptr<const detail::part_state> state_;
};

}  // namespace v0
}  // namespace tgmap
