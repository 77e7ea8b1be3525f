// SPDX-License-Identifier: Apache-2.0
// The layout of a tensor's elements in the caller's memory, and copying them into C order.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/error.hpp>
#include <tgmap/options.hpp>

namespace tgmap::encode {

/// A `source_layout` is the layout of a tensor without dimensions of extent 1. Adjacent dimensions that one stride can
/// cover are merged.
struct source_layout {
  std::size_t rank = 0;
  std::array<std::uint64_t, max_rank> extents{};
  std::array<std::int64_t, max_rank> strides{};  ///< in elements

  /// Returns whether the elements are contiguous and in C order.
  bool in_c_order() const noexcept { return rank == 0 || (rank == 1 && strides[0] == 1); }
};

/// Returns the layout of a shape. check_bounds must have accepted it: there are as many strides as extents, at most
/// max_rank, and no extent is 0.
source_layout simplify(std::span<const std::uint64_t> shape, std::span<const std::int64_t> strides) noexcept;

/// Checks that all elements of a shape are inside `available` elements of data, for any numbers. No extent may be 0.
/// Errors: invalid_strides (found = number of elements that are needed).
failure check_bounds(std::span<const std::uint64_t> shape, std::span<const std::int64_t> strides, std::uint64_t first,
                     std::uint64_t available) noexcept;

/// Copies elements of `width` bytes (1, 2, 4, 8 or 16) into C order. `origin` is the element at indices 0. All elements
/// of the layout are readable, no extent is 0, and `out` has room for all and does not overlap them.
void gather(const source_layout&, std::size_t width, const std::byte* origin, std::byte* out) noexcept;

}  // namespace tgmap::encode
