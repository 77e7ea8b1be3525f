// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/descriptor.hpp>

namespace tgmap::picture {

/// Elements as numbers: `out[i]` is element `first + i * stride` of the plain payload, which holds all of them.
/// Complex numbers give their magnitude, bits 0 or 1; 64-bit integers are rounded to the nearest double.
void decode(std::span<const std::byte> payload, dtype, byte_order, std::uint64_t first, std::uint64_t stride,
            std::span<double> out) noexcept;

}  // namespace tgmap::picture
