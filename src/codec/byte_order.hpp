// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

namespace tgmap::codec {

/// Copies bytes and reverses each group of `unit` bytes (1, 2, 4 or 8: the `swap_unit` of a dtype). Both spans have the
/// same size, a multiple of `unit`; they are identical or do not overlap.
void swap_bytes(std::span<const std::byte> from, std::size_t unit, std::span<std::byte> out) noexcept;

/// Swaps bytes in place.
inline void swap_bytes(std::span<std::byte> bytes, std::size_t unit) noexcept { swap_bytes(bytes, unit, bytes); }

}  // namespace tgmap::codec
