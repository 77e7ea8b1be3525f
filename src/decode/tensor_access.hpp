// SPDX-License-Identifier: Apache-2.0
// Access to the members of tensor.
#pragma once

#include <algorithm>
#include <bit>
#include <memory>
#include <span>
#include <tgmap/options.hpp>
#include <tgmap/tensor.hpp>
#include <utility>

#include "core/memory.hpp"
#include "decode/conversion.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

/// Returns the byte order of decoded elements.
inline byte_order wanted_order(const descriptor& descriptor, output_byte_order as) noexcept {
  constexpr auto native = std::endian::native == std::endian::big ? byte_order::big : byte_order::little;
  return as == output_byte_order::native ? native : descriptor.byte_order;
}

struct tensor_access {
  /// Sets dtype, shape and strides, without elements. Returns false if the strides are not supported.
  static bool describe(tensor& out, const descriptor& descriptor, stride_policy strides) noexcept {
    out.dtype_ = descriptor.dtype;
    out.order_ = descriptor.byte_order;
    out.rank_ = descriptor.rank();
    out.elements_ = descriptor.element_count;
    std::ranges::copy(descriptor.shape(), out.shape_.begin());
    if (strides == stride_policy::apply)
      return dense_strides(descriptor.shape(), descriptor.strides(), element_size(descriptor.dtype),
                           {out.strides_.data(), out.rank_});
    c_order_strides(descriptor.shape(), {out.strides_.data(), out.rank_});
    return true;
  }

  /// Describes a dense part of a tensor, in C order.
  static void describe_part(tensor& out, const tensor& whole, std::span<const std::uint64_t> shape) noexcept {
    out.dtype_ = whole.dtype_;
    out.order_ = whole.order_;
    out.rank_ = shape.size();
    std::copy(shape.begin(), shape.end(), out.shape_.begin());
    c_order_strides(shape, {out.strides_.data(), out.rank_});
    out.elements_ = 1;
    for (const std::uint64_t each : shape) out.elements_ *= each;
  }

  /// Converts native, aligned elements to another type. `bytes` is the size of the result.
  static failure convert(const tensor& source, dtype as, std::uint64_t bytes, tensor& out) noexcept {
    out.dtype_ = as;
    out.order_ = source.order_;
    out.rank_ = source.rank_;
    out.elements_ = source.elements_;
    out.shape_ = source.shape_;
    out.strides_ = source.strides_;
    failure why;
    const auto memory = allocate(out, bytes, why);
    return why ? why : decode::convert(source.bytes(), source.dtype_, memory, as, source.elements_);
  }

  static void set_order(tensor& out, byte_order order) noexcept { out.order_ = order; }

  /// Borrows bytes of an archive, which the tensor keeps open.
  static void borrow(tensor& out, std::span<const std::byte> bytes, pin archive) noexcept {
    out.bytes_ = bytes;
    out.archive_ = std::move(archive);
  }

  /// Returns `bytes` bytes that the tensor owns. Reuses its memory if that is large enough.
  static std::span<std::byte> allocate(tensor& out, std::uint64_t bytes, failure& why) noexcept {
    out.bytes_ = {};
    out.archive_ = {};
    if (!out.memory_ || out.memory_.get_deleter().bytes < bytes) {
      out.memory_.reset();
      const auto memory = core::allocate_memory(bytes, why);
      if (why) return {};
      out.memory_ =
          std::unique_ptr<std::byte[], tensor::free_memory>(memory.data(), tensor::free_memory{memory.size()});
    }
    out.bytes_ = {out.memory_.get(), static_cast<std::size_t>(bytes)};
    return {out.memory_.get(), static_cast<std::size_t>(bytes)};
  }

  /// Removes the elements and keeps the memory.
  static void clear(tensor& out) noexcept {
    out.bytes_ = {};
    out.archive_ = {};
    out.rank_ = 1;
    out.elements_ = 0;
    out.shape_[0] = 0;
    out.strides_[0] = 1;
  }
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
