// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <tgmap/tensor.hpp>

#include "cli/compare/difference.hpp"

namespace tgmap::cli {

/// What differs between the elements of two tensors of one dtype and shape, in native byte order, each with the strides
/// that it has; nothing when none does. NaN equals NaN, and nothing else; an infinity equals itself alone, whatever the
/// tolerance; 0 equals -0. Complex numbers are as far from each other as in the plane. O(1) memory.
std::optional<value_difference> compare_values(const tensor& left, const tensor& right, const tolerance&);

}  // namespace tgmap::cli
