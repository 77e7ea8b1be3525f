// SPDX-License-Identifier: Apache-2.0
// From encoded bytes to elements, after decompression, a block at a time while it is in the cache.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/options.hpp>

#include "codec/partial_decompressor.hpp"
#include "decode/masks.hpp"
#include "decode/plan.hpp"

namespace tgmap::decode {

/// A `window` is encoded bytes from offset `at` on.
struct window {
  std::span<const std::byte> bytes;
  std::uint64_t at = 0;
};

using codec::extent;

/// An `element_builder` unpacks, unshuffles, swaps bytes and restores missing values. It owns nothing, so it may run
/// under the guard, where mapped bytes can vanish. Lifetime: the arguments must outlive it.
class element_builder {
 public:
  element_builder(const plan&, const decode_options&, const mask_bits&) noexcept;

  /// Returns whether it takes shuffled bytes. Very large shuffled elements must be unshuffled before.
  bool unshuffles() const noexcept { return unshuffles_; }

  /// Returns the encoded bytes of elements [first, first + count); all bytes if they are shuffled.
  extent needs(std::uint64_t first, std::uint64_t count) const noexcept;

  /// Returns the range of elements whose bytes are all inside an extent.
  extent holds(extent bytes) const noexcept;

  /// Fills `out` with the elements from `first` on (bitmasks: a multiple of 8). The window holds the bytes they need.
  /// `out` need not be aligned.
  void finish(window window, std::uint64_t first, std::span<std::byte> out) const noexcept;

  /// Does the same in place, for pipelines that neither pack nor shuffle.
  void finish(std::uint64_t first, std::span<std::byte> elements) const noexcept;

 private:
  void clear_padding(std::uint64_t first, std::span<std::byte> out) const noexcept;
  extent bytes_of_elements(std::uint64_t first, std::uint64_t count) const noexcept;
  void make(window, std::uint64_t first, std::span<std::byte> out) const noexcept;
  void make_unshuffled(window, std::uint64_t first, std::span<std::byte> out) const noexcept;
  void unshuffle_and_make(window, std::uint64_t first, std::span<std::byte> out) const noexcept;
  void unpack(window, std::uint64_t first, std::span<std::byte> out) const noexcept;

  const plan& plan_;
  const mask_bits& masks_;
  byte_order wanted_order_;
  bool unshuffles_;
  std::size_t swap_unit_ = 1;  ///< bytes of a group to reverse; 1: none
  double scale_ = 0;
};

}  // namespace tgmap::decode
