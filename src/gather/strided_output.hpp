// SPDX-License-Identifier: Apache-2.0
// Copies dense elements into memory with any strides.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tgmap::gather {

/// Returns whether elements of `item` bytes at these strides, in bytes, are dense in C order.
bool is_dense(std::span<const std::uint64_t> shape, std::span<const std::int64_t> strides, std::size_t item) noexcept;

/// Copies elements in C order of the shape, of `item` bytes each. Strides are in bytes and may be negative.
void copy_strided(const std::byte* from, std::span<const std::uint64_t> shape, std::span<const std::int64_t> strides,
                  std::size_t item, std::byte* to) noexcept;

/// Copies bits in C order of the shape to one byte each, 0 or 1. The first bit is the highest one of the first byte.
void copy_bits_strided(const std::byte* from, std::span<const std::uint64_t> shape,
                       std::span<const std::int64_t> strides, std::byte* to) noexcept;

/// Writes one element to all places.
void fill_strided(std::span<const std::byte> element, std::span<const std::uint64_t> shape,
                  std::span<const std::int64_t> strides, std::byte* to) noexcept;

}  // namespace tgmap::gather
