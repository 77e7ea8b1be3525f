// SPDX-License-Identifier: Apache-2.0
// Makes tensors.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <tgmap/tensor.hpp>

#include "decode/memory.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

struct tensor_access {
  /// Dtype, shape and strides; no elements yet. False: the strides are odd.
  static bool describe(tensor& out, const descriptor& what, element_order elements) noexcept {
    out.dtype_ = what.dtype;
    out.order_ = what.byte_order;
    out.rank_ = what.rank;
    out.elements_ = what.elements;
    std::copy_n(what.shape_values.begin(), what.rank, out.shape_.begin());
    if (elements == element_order::by_strides)
      return honoured_strides(what.shape(), what.strides(), {out.strides_.data(), out.rank_});
    dense_strides(what.shape(), {out.strides_.data(), out.rank_});
    return true;
  }

  static void set_order(tensor& out, byte_order order) noexcept { out.order_ = order; }

  static void borrow(tensor& out, std::span<const std::byte> bytes) noexcept { out.bytes_ = bytes; }

  /// Memory for so many bytes, which the tensor owns.
  static std::span<std::byte> own(tensor& out, std::uint64_t bytes, failure& why) noexcept {
    out.memory_ = decode::take_memory<tensor::free_memory>(bytes, why);
    if (why) return {};
    out.bytes_ = {out.memory_.get(), static_cast<std::size_t>(bytes)};
    return {out.memory_.get(), static_cast<std::size_t>(bytes)};
  }
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
