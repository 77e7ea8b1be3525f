// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/export.hpp>
#include <tgmap/options.hpp>

namespace tgmap::core {

/// A `c_order_iterator` visits the elements of a tensor in C order, whatever its strides are. Shape and strides must
/// outlive it.
class c_order_iterator {
 public:
  c_order_iterator(std::span<const std::uint64_t> shape, std::span<const std::int64_t> strides) noexcept
      : shape_(shape), strides_(strides) {}

  /// Returns the position of the current element, in elements.
  std::uint64_t position() const noexcept { return static_cast<std::uint64_t>(position_); }
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

}  // namespace tgmap::core
