// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/descriptor.hpp>

namespace tgmap::codec {

/// Checks that elements of a type can be NaN or infinite: floats and complex numbers.
[[nodiscard]] bool can_be_masked(dtype) noexcept;

/// Overwrites the elements whose bit is set with the NaN or infinity of a kind (§6.2), in both components of complex
/// numbers. `bits` has one bit per element, the first one highest. `out` holds the elements from `first` on. Does
/// nothing for types that cannot be masked.
void restore_masked(std::span<const std::byte> bits, mask_kind, dtype, byte_order order, std::uint64_t first,
                    std::span<std::byte> out) noexcept;

/// Sets the bits of elements that are NaN or infinite, in three masks in the order of mask_kind, each of mask_bytes().
/// Each element is marked at most once (§6.2): a complex number is NaN if either component is, else +infinity if either
/// component is. Writes every byte; padding bits are 0. Does nothing for types that cannot be masked. Elements may have
/// any address.
void mark_non_finite(std::span<const std::byte> elements, dtype, byte_order,
                     const std::array<std::span<std::byte>, 3>& marks) noexcept;

/// Sets the elements, of `width` bytes each, that are marked in any mask to zero. A mask may be empty.
void zero_marked(std::span<std::byte> elements, std::size_t width,
                 const std::array<std::span<const std::byte>, 3>& marks) noexcept;

}  // namespace tgmap::codec
