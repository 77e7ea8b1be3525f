// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/target.hpp"

namespace tgmap::cli {

/// What is taken of one dimension, or of several: "3", "10:20", "::4", "...".
struct slice_item {
  enum class kind { index, range, rest };
  kind what = kind::range;
  std::optional<std::int64_t> begin{}, end{};  ///< of an index its begin alone; negative ones count from the end
  std::uint64_t step = 1;
};

/// A slice as NumPy has them, behind an address: "[10:20, ::4, 3]". Steps are positive; an index drops its dimension;
/// "..." stands for all dimensions that nothing else is said of, and may be left out at the end.
struct slice_text {
  std::string text;
  std::vector<slice_item> items{};
};

/// The elements of one object that a slice means, as tgmap::slab wants them.
struct box {
  std::vector<std::uint64_t> start{}, count{}, stride{};
  std::vector<std::uint64_t> shape{};  ///< the counts of all dimensions but those that an index dropped
};

/// Reads "[…]", brackets included. Throws usage_error.
slice_text parse_slice(std::string_view);

/// Throws complaint, which says which axis does not fit.
box resolve(const slice_text&, std::span<const std::uint64_t> shape);

/// A target, and the slice behind it if there is one.
struct sliced_target {
  target address;
  std::optional<slice_text> slice{};
};

/// Reads a target that may have a slice behind it, which is taken off first, unless the whole text is a file. Throws
/// as parse_target and parse_slice.
sliced_target parse_sliced_target(std::string_view, const file_test& exists = exists_on_disk);

}  // namespace tgmap::cli
