// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <tgmap/export.hpp>

namespace tgmap {
inline namespace v0 {

/// Which element comes where. Stored bytes are C order unless the descriptor's strides are a permutation of a dense
/// layout; the reference implementation ignores strides and always takes C order. One rule for views, extraction and
/// whatever else reads elements.
enum class element_order : std::uint8_t {
  by_strides,  ///< honour strides; anything but a permutation of a dense layout is `errc::odd_strides`
  as_stored,   ///< the bytes as C order, whatever the strides say
};

/// In which order the elements of a dense tensor are stored.
enum class storage_order : std::uint8_t {
  c,         ///< last dimension fastest
  fortran,   ///< first dimension fastest
  permuted,  ///< dense, in any other order of dimensions
};

/// Strides of C order, in elements. `out.size() == shape.size()`. O(rank).
TGMAP_API void dense_strides(std::span<const std::uint64_t> shape, std::span<std::int64_t> out) noexcept;

/// Copies the strides when every element they reach is one of the dense tensor, each exactly once: then no index
/// within the shape leaves the payload. Extents of 1 may state any stride (`out` gets a harmless one); of a tensor
/// without elements all strides will do. False otherwise, and when their number is not the rank, which is at most
/// `max_rank`. The product of the shape fits 64 bits, as in every descriptor. O(rank²).
TGMAP_API bool honoured_strides(std::span<const std::uint64_t> shape, std::span<const std::uint64_t> strides,
                                std::span<std::int64_t> out) noexcept;

/// What honoured strides say about storage; what is both C and Fortran order is C order. Nothing: odd strides.
TGMAP_API std::optional<storage_order> storage_order_of(std::span<const std::uint64_t> shape,
                                                        std::span<const std::uint64_t> strides) noexcept;

}  // namespace v0
}  // namespace tgmap
