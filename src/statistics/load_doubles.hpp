// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/dtype.hpp>

namespace tgmap::statistics {

/// Converts elements to doubles: `out[i]` is element `first + i * stride` of decoded elements in native byte order.
/// Complex numbers become their magnitude and bits 0 or 1. 64-bit integers are rounded to the nearest double.
void load_doubles(std::span<const std::byte> elements, dtype, std::uint64_t first, std::uint64_t stride,
                  std::span<double> out) noexcept;

}  // namespace tgmap::statistics
