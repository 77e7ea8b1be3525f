// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <tgmap/descriptor.hpp>
#include <tgmap/dtype.hpp>

namespace tgmap::query {

/// Returns the number of a dtype, byte order, shape and order of elements: below 2^53, and the same in all archives.
/// Others have another number, except that one of 2^53 is equal by chance. Complexity: O(extents).
std::uint64_t object_kind(dtype, byte_order, std::span<const std::uint64_t> shape,
                          std::span<const std::int64_t> strides) noexcept;

}  // namespace tgmap::query
