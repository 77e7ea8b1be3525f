// SPDX-License-Identifier: Apache-2.0
// Elements and payloads as raw bytes.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <tgmap/object.hpp>
#include <tgmap/tensor.hpp>

#include "convert/conversion.hpp"

namespace tgmap::convert {

/// A `c_order_iterator` visits the elements of a tensor in C order, whatever its strides are. The tensor must outlive
/// it.
class c_order_iterator {
 public:
  explicit c_order_iterator(const tensor& elements) noexcept : shape_(elements.shape()), strides_(elements.strides()) {}

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

/// Writes the elements in the order in which the tensor holds them, little endian, a bit of a bitmask as one byte.
/// Needs constant memory besides the tensor.
/// Errors: file_shrank, for a borrowed tensor if a mapping_guard is installed.
void copy_elements(const tensor&, const write_function&);

/// Writes the elements in C order, otherwise as `copy_elements`.
void gather_elements(const tensor&, const write_function&);

/// Writes the elements in C order; copies them if they are stored so.
/// Errors: those of `copy_elements`.
void write_raw(const tensor&, const write_function&);

/// Writes the stored payload, byte for byte, in constant memory.
/// Errors: those of object::read.
void copy_payload(const object&, const write_function&);

}  // namespace tgmap::convert
