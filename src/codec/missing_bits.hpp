// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/descriptor.hpp>

namespace tgmap::codec {

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
