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

/// What is taken of one dimension, as people write it: "3", ":", "2:5", ":-1". Negative numbers count from the end.
struct cut {
  bool one = false;  ///< `begin` alone: the dimension goes away
  std::optional<std::int64_t> begin{}, end{};
};

/// Reads "[3,:,0:10]", with or without brackets. Throws std::invalid_argument, which says what is wrong.
std::vector<cut> parse_slice(std::string_view);

/// A part of a tensor: some elements of each dimension, one after another.
struct slice {
  struct extent {
    std::uint64_t begin = 0, size = 0;
    std::uint64_t whole = 0;  ///< of the tensor
    bool one = false;         ///< given as an index
  };
  std::vector<extent> dimensions;

  std::uint64_t elements() const noexcept;  ///< 1 for a scalar
  /// Dimensions that make an axis: those with more than one element, or none, that were not given as an index.
  std::vector<std::size_t> axes() const;
  bool all() const noexcept;  ///< the whole tensor
  std::string text() const;   ///< "[3, :, 0:10]"
};

slice whole_of(std::span<const std::uint64_t> shape);

/// The last two dimensions that have more than one element, at index 0 of all others.
slice default_slice(std::span<const std::uint64_t> shape);

/// Throws std::invalid_argument when the cuts do not fit the shape.
slice resolve(std::span<const cut>, std::span<const std::uint64_t> shape);

/// "[10, 721, 1440]".
std::string shape_text(std::span<const std::uint64_t> shape);

}  // namespace tgmap::picture
