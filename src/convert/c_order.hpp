// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <tgmap/tensor.hpp>

namespace tgmap::convert {

/// Where the elements of a tensor lie, asked for in C order, one after another. The tensor must live.
class c_order {
 public:
  explicit c_order(const tensor& of) noexcept : shape_(of.shape()), strides_(of.strides()) {}

  std::uint64_t position() const noexcept { return static_cast<std::uint64_t>(position_); }  ///< in elements
  std::span<const std::uint64_t> coordinates() const noexcept TGMAP_LIFETIMEBOUND {
    return {index_.data(), shape_.size()};
  }

  void advance() noexcept {
    for (std::size_t d = shape_.size(); d-- > 0;) {
      position_ += strides_[d];
      if (++index_[d] < shape_[d]) return;
      position_ -= strides_[d] * static_cast<std::int64_t>(shape_[d]);
      index_[d] = 0;
    }
  }

 private:
  std::span<const std::uint64_t> shape_;
  std::span<const std::int64_t> strides_;
  std::array<std::uint64_t, max_rank> index_{};
  std::int64_t position_ = 0;
};

}  // namespace tgmap::convert
