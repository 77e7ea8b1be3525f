// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/input/target.hpp"

namespace tgmap::cli {

/// One item of a slice: "3", "10:20", "::4" or "...".
struct slice_item {
  enum class kind { index, range, rest };
  kind what = kind::range;
  std::optional<std::int64_t> begin{}, end{};  ///< an index has only `begin`; negative numbers count from the end
  std::uint64_t step = 1;
};

/// A slice in NumPy's syntax, after an address: "[10:20, ::4, 3]". Steps are positive. An index drops its dimension.
/// "..." stands for all remaining dimensions and may be left out at the end.
struct slice_spec {
  std::string text;
  std::vector<slice_item> items{};
};

/// The elements of one object that a slice selects, in the form of tgmap::slab.
struct box {
  std::vector<std::uint64_t> start{}, count{}, stride{};
  std::vector<std::uint64_t> shape{};  ///< counts without the dimensions dropped by an index
  std::vector<std::size_t> kept{};     ///< the dimensions of the object that `shape` has
};

/// Parses "[…]", including the brackets. Errors: usage_error.
slice_spec parse_slice(std::string_view);

/// Parses the value of --slice, whose brackets may be left out. Errors: usage_error.
slice_spec parse_slice_option(std::string_view);

/// Applies a slice to a shape. Errors: cli_error if an index or the rank does not fit.
box resolve(const slice_spec&, std::span<const std::uint64_t> shape);

/// A target with an optional slice.
struct sliced_target {
  target address;
  std::optional<slice_spec> slice{};
};

/// Parses a target that may be followed by a slice, unless the whole text names a file.
/// Errors: like parse_target and parse_slice.
sliced_target parse_sliced_target(std::string_view, const file_test& exists = exists_on_disk);

/// Parses all targets before any is opened. Errors: also usage_error if standard input is named twice.
std::vector<sliced_target> parse_sliced_targets(const std::vector<std::string>&);

}  // namespace tgmap::cli
