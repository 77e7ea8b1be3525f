// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/app/cli_error.hpp"
#include "cli/input/target.hpp"
#include "grid/slice_syntax.hpp"

namespace tgmap::cli {

/// Parses a slice, such as the value of --slice. Errors: usage_error.
grids::slice_spec parse_slice(std::string_view);

/// Returns the error to report for a slice that grids::resolve() cannot apply to a shape.
cli_error slice_error(const grids::slice_spec&, std::span<const std::uint64_t> shape, const failure&);

/// Applies a slice to a shape. Errors: cli_error if an index or the rank does not fit.
grids::slice resolve(const grids::slice_spec&, std::span<const std::uint64_t> shape);

/// A target with an optional slice.
struct sliced_target {
  target address;
  std::optional<grids::slice_spec> slice{};
};

/// Parses a target that may be followed by a slice, unless the whole text names a file.
/// Errors: like parse_target and parse_slice.
sliced_target parse_sliced_target(std::string_view, const file_test& exists = exists_on_disk);

/// Parses all targets before any is opened. Errors: also usage_error if standard input is named twice.
std::vector<sliced_target> parse_sliced_targets(const std::vector<std::string>&);

}  // namespace tgmap::cli
