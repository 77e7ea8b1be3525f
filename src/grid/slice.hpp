// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <tgmap/decode/part_reader.hpp>
#include <vector>

namespace tgmap::grids {

/// A `slice` is a part of a tensor: a range of indices in each dimension.
struct slice {
  struct extent {
    std::uint64_t begin = 0, size = 0;
    std::uint64_t full_size = 0;  ///< of the dimension of the tensor
    bool is_index = false;        ///< was given as an index, not as a range
    std::uint64_t step = 1;       ///< distance between two elements; at least 1

    /// Returns the index of an element of the part in the tensor.
    std::uint64_t index(std::uint64_t i) const noexcept { return begin + i * step; }
  };
  std::vector<extent> dimensions;

  /// Returns the number of elements; 1 for a scalar.
  std::uint64_t elements() const noexcept;
  /// Returns the dimensions that become an axis: ranges of any size but 1, or the last range if all are of size 1.
  std::vector<std::size_t> axes() const;
  /// Returns the dimensions that were not given as an index.
  std::vector<std::size_t> ranges() const;
  /// Returns the sizes of these dimensions: the shape of the result.
  std::vector<std::uint64_t> shape() const;
  /// Returns true if the slice is the whole tensor.
  bool is_full() const noexcept;
  /// Returns the same part for part_reader, with all dimensions.
  tgmap::slab slab() const;
  /// Returns the slice as "[3, :, 0:10, 1:8:2]", which parse_slice takes; "[...]" without dimensions.
  std::string text() const;
};

/// Returns the slice of all elements.
slice full_slice(std::span<const std::uint64_t> shape);

/// Returns the last two dimensions that have more than one element, at index 0 of all others.
slice default_slice(std::span<const std::uint64_t> shape);

/// Returns a shape as "[10, 721, 1440]".
std::string shape_text(std::span<const std::uint64_t> shape);

}  // namespace tgmap::grids
