// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/descriptor.hpp>

namespace tgmap::codec {

/// Whether elements of that type can be NaN or infinite: floats and complex numbers.
[[nodiscard]] bool can_be_masked(dtype) noexcept;

/// Overwrites the elements that `bits` mark (one an element, the first one highest) with the one NaN or infinity that
/// stands for that kind (§6.2), in both components of complex numbers, in byte order `order`. `out` holds the elements
/// from `first` on, and `bits` reach as far. Nothing happens to types that cannot be masked.
void put_masked(std::span<const std::byte> bits, mask_kind, dtype, byte_order order, std::uint64_t first,
                std::span<std::byte> out) noexcept;

}  // namespace tgmap::codec
