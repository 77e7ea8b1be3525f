// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tgmap::picture {

/// An `index_range` selects elements of one dimension: "3", ":", "2:5", ":-1". Negative numbers count from the end.
struct index_range {
  bool is_index = false;  ///< selects the element at `begin`, and the dimension disappears
  std::optional<std::int64_t> begin{}, end{};
};

/// Parses "[3,:,0:10]", with or without brackets. Throws std::invalid_argument with a message for the user.
std::vector<index_range> parse_slice(std::string_view);

/// A `slice` is a part of a tensor: a contiguous range of indices in each dimension.
struct slice {
  struct extent {
    std::uint64_t begin = 0, size = 0;
    std::uint64_t full_size = 0;  ///< of the dimension of the tensor
    bool is_index = false;        ///< was given as an index, not as a range
  };
  std::vector<extent> dimensions;

  /// Returns the number of elements; 1 for a scalar.
  std::uint64_t elements() const noexcept;
  /// Returns the dimensions that become an axis: ranges of any size but 1.
  std::vector<std::size_t> axes() const;
  /// Returns true if the slice is the whole tensor.
  bool is_full() const noexcept;
  /// Returns the slice as "[3, :, 0:10]".
  std::string text() const;
};

/// Returns the slice of all elements.
slice full_slice(std::span<const std::uint64_t> shape);

/// Returns the last two dimensions that have more than one element, at index 0 of all others.
slice default_slice(std::span<const std::uint64_t> shape);

/// Applies ranges to a shape. Throws std::invalid_argument with a message for the user if they do not fit.
slice resolve(std::span<const index_range>, std::span<const std::uint64_t> shape);

/// Returns a shape as "[10, 721, 1440]".
std::string shape_text(std::span<const std::uint64_t> shape);

}  // namespace tgmap::picture
