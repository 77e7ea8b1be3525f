// SPDX-License-Identifier: Apache-2.0
// Which strides are honoured: those that are a permutation of a dense layout.
#pragma once

#include <cstdint>
#include <span>

namespace tgmap::inline v0::detail {

/// Strides of C order, in elements. `out.size() == shape.size()`.
void dense_strides(std::span<const std::uint64_t> shape, std::span<std::int64_t> out) noexcept;

/// Copies the strides when every element they reach is one of the dense tensor, each exactly once: then no index
/// within the shape leaves the payload. Extents of 1 may state any stride (out gets a harmless one); of a tensor
/// without elements all strides will do. False otherwise, and when their number is not the rank.
bool honoured_strides(std::span<const std::uint64_t> shape, std::span<const std::uint64_t> strides,
                      std::span<std::int64_t> out) noexcept;

}  // namespace tgmap::inline v0::detail
