// SPDX-License-Identifier: Apache-2.0
// Makes tensors.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <tgmap/tensor.hpp>

#include "core/memory.hpp"

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

  /// So many bytes, which the tensor owns: those it has, when they are enough.
  static std::span<std::byte> own(tensor& out, std::uint64_t bytes, failure& why) noexcept {
    out.bytes_ = {};
    if (!out.memory_ || out.memory_.get_deleter().bytes < bytes) {
      out.memory_.reset();
      const auto taken = core::take_memory(bytes, why);
      if (why) return {};
      out.memory_ = std::unique_ptr<std::byte[], tensor::free_memory>(taken.data(), tensor::free_memory{taken.size()});
    }
    out.bytes_ = {out.memory_.get(), static_cast<std::size_t>(bytes)};
    return {out.memory_.get(), static_cast<std::size_t>(bytes)};
  }

  /// No elements any more; memory stays for the next use.
  static void empty(tensor& out) noexcept {
    out.bytes_ = {};
    out.rank_ = 1;
    out.elements_ = 0;
    out.shape_[0] = 0;
    out.strides_[0] = 1;
  }
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
