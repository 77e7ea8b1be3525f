// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/descriptor.hpp>
#include <vector>

namespace tgmap::picture {

/// Whether the mask can be read without a codec: methods "none" and "rle".
bool readable(const mask&) noexcept;

/// The mask as one bit an element, the first one highest. `blob` are its bytes in memory of our own.
/// Throws tgmap::error (mask_range) when they do not tell of exactly that many elements.
std::vector<std::byte> mask_bits(const mask&, std::span<const std::byte> blob, std::uint64_t elements);

/// Puts `what` in place of the elements that are masked: `out[i]` is element `first + i * stride`.
void put_masked(std::span<const std::byte> bits, double what, std::uint64_t first, std::uint64_t stride,
                std::span<double> out) noexcept;

/// What the elements of such a mask are: NaN or an infinity.
double value_of(mask_kind) noexcept;

}  // namespace tgmap::picture
