// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace tgmap::convert {

/// In which order the elements of a dense tensor are stored.
enum class storage : std::uint8_t {
  c_order,        ///< last dimension fastest
  fortran_order,  ///< first dimension fastest
  permuted,       ///< dense, in any other order of dimensions
};

/// What strides, in elements, say about storage. Extents of 1 do not count; what is both is C order; without elements
/// every order is C order. Nothing: the strides are no permutation of a dense layout.
std::optional<storage> storage_of(std::span<const std::uint64_t> shape, std::span<const std::uint64_t> strides);

}  // namespace tgmap::convert
