// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/descriptor.hpp>
#include <tgmap/dtype.hpp>
#include <tgmap/options.hpp>

#include "cbor/canonical/writer.hpp"

namespace tgmap::write {

/// A `tensor_layout` is the dtype, shape and strides of a tensor, as both its descriptor and its metadata state them.
struct tensor_layout {
  tgmap::dtype dtype = dtype::uint8;
  std::size_t rank = 0, stride_count = 0;
  std::array<std::uint64_t, max_rank> extents;         // the first `rank`
  std::array<std::uint64_t, max_rank> stride_numbers;  // the first `stride_count`

  std::span<const std::uint64_t> shape() const noexcept { return {extents.data(), rank}; }
  std::span<const std::uint64_t> strides() const noexcept { return {stride_numbers.data(), stride_count}; }

  bool operator==(const tensor_layout& other) const noexcept {
    return dtype == other.dtype && std::ranges::equal(shape(), other.shape()) &&
           std::ranges::equal(strides(), other.strides());
  }

  /// Returns the layout that a descriptor states.
  static tensor_layout of(const descriptor& descriptor) noexcept {
    tensor_layout out;
    out.dtype = descriptor.dtype;
    out.rank = descriptor.rank();
    out.stride_count = descriptor.strides().size();
    std::ranges::copy(descriptor.shape(), out.extents.begin());
    std::ranges::transform(descriptor.strides(), out.stride_numbers.begin(),
                           [](std::int64_t stride) { return static_cast<std::uint64_t>(stride); });
    return out;
  }

  /// Returns the layout of a dense tensor in C order. encode::element_count must have accepted the shape.
  static tensor_layout dense(tgmap::dtype dtype, std::span<const std::uint64_t> shape) noexcept {
    tensor_layout out;
    out.dtype = dtype;
    out.rank = out.stride_count = shape.size();
    std::uint64_t stride = 1;  // overflows only if the tensor has no elements
    for (std::size_t i = shape.size(); i-- > 0;) {
      out.extents[i] = shape[i];
      out.stride_numbers[i] = stride;
      stride *= shape[i];
    }
    return out;
  }
};

/// Writes an array of numbers. Throws std::bad_alloc.
inline void write_numbers(cbor::writer out, std::span<const std::uint64_t> numbers) {
  out.array(numbers.size());
  for (const std::uint64_t number : numbers) out.integer(number);
}

}  // namespace tgmap::write
