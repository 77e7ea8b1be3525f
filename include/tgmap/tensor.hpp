// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <tgmap/array_view.hpp>
#include <tgmap/descriptor.hpp>
#include <tgmap/error.hpp>

namespace tgmap {
inline namespace v0 {

namespace detail {
struct tensor_access;
}

/// The elements of one object, decoded: dense, in the order of the payload.
///
/// Owns its memory, or borrows the payload where nothing had to be undone: then valid while the archive, or a pin of
/// it, lives. Moves in O(1); not copied by accident. Reading from any number of threads is safe.
class TGMAP_API tensor {
 public:
  tensor() noexcept = default;  ///< no elements

  tgmap::dtype dtype() const noexcept { return dtype_; }
  tgmap::byte_order byte_order() const noexcept { return order_; }  ///< of the elements as they are here
  /// Extents, slowest first. Empty: a scalar.
  std::span<const std::uint64_t> shape() const noexcept TGMAP_LIFETIMEBOUND { return {shape_.data(), rank_}; }
  /// In elements; as many as there are extents.
  std::span<const std::int64_t> strides() const noexcept TGMAP_LIFETIMEBOUND { return {strides_.data(), rank_}; }
  std::uint64_t elements() const noexcept { return elements_; }

  /// All elements; of `bitmask` eight a byte, the first one highest.
  std::span<const std::byte> bytes() const noexcept TGMAP_LIFETIMEBOUND { return bytes_; }
  /// The same, to be changed; empty where they are borrowed.
  std::span<std::byte> own_bytes() noexcept TGMAP_LIFETIMEBOUND {
    return borrowed() ? std::span<std::byte>() : std::span(memory_.get(), bytes_.size());
  }
  bool borrowed() const noexcept { return bytes_.data() != memory_.get(); }

  /// The elements as `T`. Errors: dtype_mismatch, foreign_byte_order.
  template <element T>
  array_view<T> view() const TGMAP_LIFETIMEBOUND {
    failure why;
    auto out = view<T>(why);
    detail::raise_if(why);
    return out;
  }
  template <element T>
  array_view<T> view(failure& why) const noexcept TGMAP_LIFETIMEBOUND {
    why = viewable(dtype_of<T>);
    if (why) return {};
    return {reinterpret_cast<const T*>(bytes_.data()), shape(), strides(), why};
  }

 private:
  friend struct detail::tensor_access;
  struct free_memory {
    free_memory() noexcept : bytes(0) {}
    explicit free_memory(std::size_t taken) noexcept : bytes(taken) {}
    std::size_t bytes;
    void operator()(std::byte*) const noexcept;
  };
  failure viewable(tgmap::dtype as) const noexcept;

  tgmap::dtype dtype_ = dtype::uint8;
  tgmap::byte_order order_ = byte_order::little;
  std::size_t rank_ = 1;
  std::uint64_t elements_ = 0;
  std::array<std::uint64_t, max_rank> shape_{};
  std::array<std::int64_t, max_rank> strides_{1};
  std::unique_ptr<std::byte[], free_memory> memory_{};  ///< aligned for every element
  std::span<const std::byte> bytes_{};
};

}  // namespace v0
}  // namespace tgmap
