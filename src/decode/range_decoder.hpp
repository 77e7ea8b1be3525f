// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/decode/executor.hpp>
#include <tgmap/object.hpp>

#include "archive/object_hash.hpp"
#include "decode/element_builder.hpp"
#include "decode/encoded_source.hpp"
#include "decode/masks.hpp"
#include "decode/plan.hpp"

namespace tgmap::decode {

/// A `range_decoder` decodes ranges of elements of one object.
/// Lifetime: the arguments must outlive it.
/// Thread safety: const members may run in any number of threads, each with its own workspace.
class range_decoder {
 public:
  range_decoder(const plan& p, const object& object, const decode_options& how) noexcept
      : plan_(p), from_(object), how_(how), builder_(p, how, masks_) {}
  range_decoder(const range_decoder&) = delete;

  /// Reads masks into `masks`, and the offsets of pieces. Errors: those of object::decode.
  failure open(reading, core::scratch& blob, core::scratch& masks) noexcept;

  const encoded_source& source() const noexcept { return source_; }

  const element_builder& builder() const noexcept { return builder_; }

  /// Returns whether only all elements can be decoded.
  bool whole_only() const noexcept { return source_.whole_only() || plan_.shuffled(); }

  /// Returns the extent to decompress for encoded bytes, of which there is at least one.
  extent around(extent wanted) const noexcept { return plan_.shuffled() ? source_.all() : source_.around(wanted); }

  /// Reads the encoded bytes of an extent returned by `around`, and unshuffles them unless `builder()` does. They are
  /// valid until the workspace is used again.
  failure encoded(extent, workspace&, window& out) const noexcept;

  /// Fills `out` with the elements from `first` on. For bitmasks `first` is a multiple of 8.
  failure decode(std::uint64_t first, std::span<std::byte> out, workspace&) const noexcept;

  /// Decodes all elements of a payload that is neither compressed nor shuffled, and hashes it on the way.
  failure decode_verified(std::span<std::byte> out, detail::payload_check&, workspace&) const noexcept;

  /// Decodes all elements on several threads, about `block` bytes at a time. Requires reading::whole_in_parts.
  failure decode_all(std::span<std::byte> out, executor& on, std::size_t block = std::size_t{1} << 20) const noexcept;

 private:
  bool unshuffled_beforehand() const noexcept { return plan_.shuffled() && !builder_.unshuffles(); }
  std::uint64_t elements_in(std::size_t bytes) const noexcept;
  std::size_t bytes_of(std::uint64_t elements) const noexcept;
  failure from_file(std::uint64_t first, std::span<std::byte> out, workspace&, detail::payload_check*) const noexcept;
  failure from_pieces(std::uint64_t first, std::uint64_t count, std::span<std::byte> out, workspace&,
                      detail::payload_check*) const noexcept;
  bool reads_directly(extent needed) const noexcept;
  std::uint64_t cut_near(std::uint64_t element) const noexcept;

  const plan& plan_;
  const object& from_;
  decode_options how_;
  mask_bits masks_{};
  encoded_source source_{};
  element_builder builder_;
};

/// Fills `out`, which has `plan.decoded` bytes, with the elements of an object. After a failure `out` may hold
/// anything. Errors: those of object::decode.
failure decode_elements(const plan&, const object& object, const decode_options&, std::span<std::byte> out) noexcept;

/// Completes elements that are in `out` as they are stored: byte order, masks and bits behind the last element.
/// Requires a plan without encoding, filter and compression, of as many bytes. Errors: those of object::decode.
failure finish_elements(const plan&, const object&, const decode_options&, std::span<std::byte> out) noexcept;

}  // namespace tgmap::decode
