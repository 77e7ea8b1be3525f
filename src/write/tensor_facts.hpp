// SPDX-License-Identifier: Apache-2.0
// What both the descriptor of an object and its entry in the metadata say of its tensor.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/descriptor.hpp>
#include <tgmap/dtype.hpp>
#include <tgmap/options.hpp>

#include "cbor/writer.hpp"

namespace tgmap::write {

/// Shape and strides as they are written.
struct tensor_facts {
  tgmap::dtype dtype = dtype::uint8;
  std::size_t rank = 0, stride_count = 0;
  std::array<std::uint64_t, max_rank> shape_values;
  std::array<std::uint64_t, max_rank> stride_values;

  std::span<const std::uint64_t> shape() const noexcept { return {shape_values.data(), rank}; }
  std::span<const std::uint64_t> strides() const noexcept { return {stride_values.data(), stride_count}; }

  bool operator==(const tensor_facts& other) const noexcept {
    return dtype == other.dtype && std::ranges::equal(shape(), other.shape()) &&
           std::ranges::equal(strides(), other.strides());
  }

  /// As a descriptor states them.
  static tensor_facts of(const descriptor& from) noexcept {
    tensor_facts out;
    out.dtype = from.dtype;
    out.rank = from.rank();
    out.stride_count = from.strides().size();
    std::ranges::copy(from.shape(), out.shape_values.begin());
    std::ranges::transform(from.strides(), out.stride_values.begin(),
                           [](std::int64_t stride) { return static_cast<std::uint64_t>(stride); });
    return out;
  }

  /// Of a dense tensor in C order, whose elements can be counted (encode::element_count).
  static tensor_facts dense(tgmap::dtype dtype, std::span<const std::uint64_t> shape) noexcept {
    tensor_facts out;
    out.dtype = dtype;
    out.rank = out.stride_count = shape.size();
    std::uint64_t step = 1;  // wraps only where there are no elements to step to
    for (std::size_t i = shape.size(); i-- > 0;) {
      out.shape_values[i] = shape[i];
      out.stride_values[i] = step;
      step *= shape[i];
    }
    return out;
  }
};

inline void put_numbers(cbor::writer out, std::span<const std::uint64_t> numbers) {
  out.array(numbers.size());
  for (const std::uint64_t number : numbers) out.integer(number);
}

}  // namespace tgmap::write
