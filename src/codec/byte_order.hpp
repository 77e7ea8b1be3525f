// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

namespace tgmap::codec {

/// Copies with the bytes of every `unit` bytes (1, 2, 4 or 8: `swap_unit` of a dtype) in reverse. Both are of one size,
/// a multiple of `unit`; they are the same bytes or do not overlap.
void swap_bytes(std::span<const std::byte> from, std::size_t unit, std::span<std::byte> out) noexcept;

/// In place.
inline void swap_bytes(std::span<std::byte> bytes, std::size_t unit) noexcept { swap_bytes(bytes, unit, bytes); }

}  // namespace tgmap::codec
