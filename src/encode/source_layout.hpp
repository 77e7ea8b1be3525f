// SPDX-License-Identifier: Apache-2.0
// Where the elements of a tensor lie in the caller's memory.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/error.hpp>
#include <tgmap/options.hpp>

namespace tgmap::encode {

/// The dimensions that it takes to tell: none of extent 1, and what one step can walk is one dimension.
struct source_layout {
  std::size_t rank = 0;
  std::array<std::uint64_t, max_rank> extents{};
  std::array<std::int64_t, max_rank> strides{};  ///< in elements

  /// The elements follow each other in C order.
  bool in_c_order() const noexcept { return rank == 0 || (rank == 1 && strides[0] == 1); }
};

/// Of a shape with as many strides as extents, at most max_rank, none of them 0, where every element is reached.
source_layout simplified(std::span<const std::uint64_t> shape, std::span<const std::int64_t> strides) noexcept;

/// Whether every element of that shape, which has elements, lies among the `given`: no sum wraps, whatever the numbers.
/// Errors: invalid_strides (found = how many elements there would have to be).
failure check_reach(std::span<const std::uint64_t> shape, std::span<const std::int64_t> strides, std::uint64_t first,
                    std::uint64_t given) noexcept;

/// Copies the elements, of `width` bytes (1, 2, 4, 8 or 16), into C order. `origin` is the one at indices 0; all that
/// the layout reaches can be read, none of its extents is 0, and `out` has room for all, elsewhere.
void gather(const source_layout&, std::size_t width, const std::byte* origin, std::byte* out) noexcept;

}  // namespace tgmap::encode
