// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/decode/executor.hpp>
#include <tgmap/object.hpp>

#include "decode/element_builder.hpp"
#include "decode/encoded_source.hpp"
#include "decode/masks.hpp"
#include "decode/plan.hpp"

namespace tgmap::decode {

/// Decodes runs of elements of one object, all of them or some. What it refers to must outlive it, and it does not
/// move. Const members may run in any number of threads, each with a workspace of its own.
class range_decoder {
 public:
  range_decoder(const plan& p, const object& from, const decode_options& how) noexcept
      : plan_(p), from_(from), how_(how), builder_(p, how, masks_) {}
  range_decoder(const range_decoder&) = delete;

  /// Reads masks into memory that is lent, and where pieces are. Errors: as object::decode.
  failure open(reading, core::scratch& blob, core::scratch& masks) noexcept;

  const encoded_source& source() const noexcept { return source_; }

  const element_builder& builder() const noexcept { return builder_; }

  /// Nothing less than all elements can be decoded.
  bool whole_only() const noexcept { return source_.whole_only() || plan_.shuffled(); }

  /// What has to be decompressed for such encoded bytes, which are not none.
  extent around(extent wanted) const noexcept { return plan_.shuffled() ? source_.all() : source_.around(wanted); }

  /// The encoded bytes of an extent that `around` gave, unshuffled where `finishing()` does not do that itself; they
  /// stay until the workspace is used again.
  failure encoded(extent, workspace&, window& out) const noexcept;

  /// Decodes the elements from `first` on that fill `out`. Of a bitmask `first` is a multiple of 8.
  failure decode(std::uint64_t first, std::span<std::byte> out, workspace&) const noexcept;

  /// All elements, on several threads, about `block` bytes of them at a time; opened for reading::whole_in_parts.
  failure decode_all(std::span<std::byte> out, executor& on, std::size_t block = std::size_t{1} << 20) const noexcept;

 private:
  bool unshuffled_beforehand() const noexcept { return plan_.shuffled() && !builder_.unshuffles(); }
  std::uint64_t elements_in(std::size_t bytes) const noexcept;
  std::size_t bytes_of(std::uint64_t elements) const noexcept;
  failure from_file(std::uint64_t first, std::span<std::byte> out, workspace&) const noexcept;
  failure from_pieces(std::uint64_t first, std::uint64_t count, std::span<std::byte> out, workspace&) const noexcept;
  bool reads_directly(extent needed) const noexcept;
  std::uint64_t cut_near(std::uint64_t element) const noexcept;

  const plan& plan_;
  const object& from_;
  decode_options how_;
  mask_bits masks_{};
  encoded_source source_{};
  element_builder builder_;
};

/// Fills `out`, which is of `plan.decoded` bytes, with the elements of the object that was planned for.
/// After a failure `out` holds anything. Errors: as object::decode.
failure decode_elements(const plan&, const object& from, const decode_options&, std::span<std::byte> out) noexcept;

}  // namespace tgmap::decode
