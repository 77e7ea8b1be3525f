// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tgmap/error.hpp>
#include <vector>

#include "grid/slice.hpp"

namespace tgmap::grids {

/// One item of a slice: "3", "10:20", "::4" or "...".
struct slice_item {
  enum class kind { index, range, rest };
  kind what = kind::range;
  std::optional<std::int64_t> begin{}, end{};  ///< an index has only `begin`; negative numbers count from the end
  std::uint64_t step = 1;
};

/// A slice in NumPy's syntax: "[10:20, ::4, 3]". Steps are positive. An index drops its dimension. "..." stands for all
/// remaining dimensions and may be left out at the end.
struct slice_spec {
  std::string text;  ///< in brackets
  std::vector<slice_item> items{};
};

/// A mistake in a slice, as `failure::expected` of invalid_option.
enum class slice_mistake : std::uint8_t {
  item,         ///< not an index, a range or "..."
  empty_item,   ///< nothing between two commas
  step,         ///< not positive
  second_rest,  ///< "..." occurs twice
  bracket,      ///< only one of the brackets
};

/// Parses a slice, whose brackets may be left out. After a failure the result has the text.
/// Errors: invalid_option: offset = position of the wrong item in `slice_spec::text`, found = its length, expected =
/// the slice_mistake. Throws std::bad_alloc.
slice_spec parse_slice(std::string_view, failure&);

/// Applies a slice to a shape.
/// Errors: out_of_range: expected = number of dimensions, found = that of the slice; for an index, `argument` is
/// "index", offset = dimension, expected = its extent, found = the index. Throws std::bad_alloc.
slice resolve(const slice_spec&, std::span<const std::uint64_t> shape, failure&);

}  // namespace tgmap::grids
