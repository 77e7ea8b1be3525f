// SPDX-License-Identifier: Apache-2.0
#include "gather/strided_output.hpp"

#include <array>
#include <cstring>
#include <tgmap/detail/dimensions.hpp>

namespace tgmap::gather {

namespace {

/// Calls `row(first, to, count, stride)` for each row of the innermost dimension, in C order: `first` is the number of
/// its first element.
template <class Row>
void each_row(std::span<const std::uint64_t> shape, std::span<const std::int64_t> strides, std::byte* to,
              Row&& row) noexcept {
  for (const std::uint64_t each : shape)
    if (each == 0) return;
  if (shape.empty()) return row(std::uint64_t{0}, to, std::uint64_t{1}, std::int64_t{0});
  const std::size_t outer = shape.size() - 1;
  std::array<std::uint64_t, max_rank> index{};
  for (std::uint64_t first = 0;; first += shape[outer]) {
    row(first, to, shape[outer], strides[outer]);
    std::size_t d = outer;
    while (d > 0) {
      --d;
      to += strides[d];
      if (++index[d] < shape[d]) break;
      to -= strides[d] * static_cast<std::int64_t>(shape[d]);
      index[d] = 0;
      if (d == 0) return;
    }
    if (outer == 0) return;
  }
}

template <std::size_t Item>
void copy_row(const std::byte* from, std::byte* to, std::uint64_t count, std::int64_t stride) noexcept {
  for (std::uint64_t i = 0; i < count; ++i, from += Item, to += stride) std::memcpy(to, from, Item);
}

}  // namespace

bool is_dense(std::span<const std::uint64_t> shape, std::span<const std::int64_t> strides, std::size_t item) noexcept {
  auto step = static_cast<std::int64_t>(item);
  for (std::size_t d = shape.size(); d-- > 0;) {
    if (shape[d] == 0) return true;
    if (shape[d] != 1 && strides[d] != step) return false;
    step *= static_cast<std::int64_t>(shape[d]);
  }
  return true;
}

void copy_strided(const std::byte* from, std::span<const std::uint64_t> shape, std::span<const std::int64_t> strides,
                  std::size_t item, std::byte* to) noexcept {
  each_row(shape, strides, to,
           [&](std::uint64_t first, std::byte* row, std::uint64_t count, std::int64_t stride) noexcept {
             const std::byte* const begin = from + first * item;
             if (stride == static_cast<std::int64_t>(item) || count == 1) {
               std::memcpy(row, begin, static_cast<std::size_t>(count) * item);
               return;
             }
             switch (item) {  // a constant size is one instruction
               case 1: return copy_row<1>(begin, row, count, stride);
               case 2: return copy_row<2>(begin, row, count, stride);
               case 4: return copy_row<4>(begin, row, count, stride);
               case 8: return copy_row<8>(begin, row, count, stride);
               default: return copy_row<16>(begin, row, count, stride);
             }
           });
}

void copy_bits_strided(const std::byte* from, std::span<const std::uint64_t> shape,
                       std::span<const std::int64_t> strides, std::byte* to) noexcept {
  each_row(shape, strides, to,
           [&](std::uint64_t first, std::byte* row, std::uint64_t count, std::int64_t stride) noexcept {
             for (std::uint64_t i = first; i < first + count; ++i, row += stride)
               *row = (from[i / 8] >> static_cast<int>(7 - i % 8)) & std::byte{1};
           });
}

void fill_strided(std::span<const std::byte> element, std::span<const std::uint64_t> shape,
                  std::span<const std::int64_t> strides, std::byte* to) noexcept {
  each_row(shape, strides, to, [&](std::uint64_t, std::byte* row, std::uint64_t count, std::int64_t stride) noexcept {
    for (std::uint64_t i = 0; i < count; ++i, row += stride) std::memcpy(row, element.data(), element.size());
  });
}

}  // namespace tgmap::gather
