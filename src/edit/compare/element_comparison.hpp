// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <tgmap/tensor.hpp>

#include "cli/print/difference.hpp"

namespace tgmap::cli {

/// Compares the elements of two tensors of equal dtype and shape in native byte order; strides may differ. Returns
/// nothing if all elements are equal. NaN equals only NaN, an infinity equals only itself whatever the tolerance, and 0
/// equals -0. The distance of complex numbers is that in the plane. Complexity: constant memory.
std::optional<value_difference> compare_values(const tensor& left, const tensor& right, const tolerance&);

}  // namespace tgmap::cli
