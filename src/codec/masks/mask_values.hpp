// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
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

/// Marks which elements are NaN and which infinite, one bit an element, the first one highest, in the order of
/// mask_kind; each element at most once (§6.2): a complex number is NaN when either component is, else +infinity when
/// either is that. Every byte of the marks is written, mask_bytes() of each; bits behind the last element are zero.
/// Nothing happens to types that cannot be masked. Elements may lie at any address.
void mark_missing(std::span<const std::byte> elements, dtype, byte_order,
                  const std::array<std::span<std::byte>, 3>& marks) noexcept;

/// Makes the elements, of `width` bytes, that are marked in any of them zero. A mark may be empty.
void clear_marked(std::span<std::byte> elements, std::size_t width,
                  const std::array<std::span<const std::byte>, 3>& marks) noexcept;

}  // namespace tgmap::codec
