// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/dtype.hpp>

namespace tgmap::statistics {

/// Elements as numbers: `out[i]` is element `first + i * stride` of decoded elements in native byte order.
/// Complex numbers give their magnitude, bits 0 or 1; 64-bit integers are rounded to the nearest double.
void numbers_of(std::span<const std::byte> elements, dtype, std::uint64_t first, std::uint64_t stride,
                std::span<double> out) noexcept;

}  // namespace tgmap::statistics
