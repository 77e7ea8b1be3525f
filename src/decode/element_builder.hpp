// SPDX-License-Identifier: Apache-2.0
// From encoded bytes to elements: what follows decompression, a block at a time while it is in the cache.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/options.hpp>

#include "codec/partial_decompressor.hpp"
#include "decode/masks.hpp"
#include "decode/plan.hpp"

namespace tgmap::decode {

/// Bytes of the encoded form, from `at` on.
struct window {
  std::span<const std::byte> bytes;
  std::uint64_t at = 0;
};

using codec::extent;

/// Unpacks, unshuffles, swaps bytes and puts missing values back. Owns nothing, so that it may run where the bytes can
/// vanish under it. What it refers to must outlive it.
class element_builder {
 public:
  element_builder(const plan&, const decode_options&, const mask_bits&) noexcept;

  /// Whether shuffled bytes go in as they are; else they must be unshuffled first, for what is shuffled is very large.
  bool unshuffles() const noexcept { return unshuffles_; }

  /// The encoded bytes that elements [first, first + count) are made of; of shuffled ones, all.
  extent needs(std::uint64_t first, std::uint64_t count) const noexcept;

  /// The elements [begin, end) of which all bytes lie in such an extent; of shuffled ones, in that of all.
  extent holds(extent bytes) const noexcept;

  /// Makes the elements from `first` on, of a bitmask a multiple of 8, as many as fill `out`, from a window that holds
  /// what they need. `out` need not be aligned.
  void finish(window from, std::uint64_t first, std::span<std::byte> out) const noexcept;

  /// The same for elements that lie in place already, of pipelines that neither pack nor shuffle.
  void finish(std::uint64_t first, std::span<std::byte> elements) const noexcept;

 private:
  void clear_padding(std::uint64_t first, std::span<std::byte> out) const noexcept;
  extent lies_at(std::uint64_t first, std::uint64_t count) const noexcept;
  void make(window, std::uint64_t first, std::span<std::byte> out) const noexcept;
  void make_unshuffled(window, std::uint64_t first, std::span<std::byte> out) const noexcept;
  void unshuffle_and_make(window, std::uint64_t first, std::span<std::byte> out) const noexcept;
  void unpack(window, std::uint64_t first, std::span<std::byte> out) const noexcept;

  const plan& plan_;
  const mask_bits& masks_;
  byte_order wanted_;
  bool unshuffles_;
  std::size_t swap_ = 1;  ///< bytes to be swapped together; 1: none
  double scale_ = 0;
};

}  // namespace tgmap::decode
