// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/export.hpp>
#include <tgmap/options.hpp>

namespace tgmap {
inline namespace v0 {
namespace detail {

/// A `dimensions` holds the shape and strides of a tensor. Up to 6 dimensions are inside; more are in a block of memory
/// that copies share and count.
///
/// Copying never fails and never allocates. A shared block does not change.
/// Thread safety: any number of threads may read, copy and destroy copies.
class TGMAP_API dimensions {
 public:
  /// Number of dimensions that take no allocation. Common tensors have fewer.
  static constexpr std::size_t inside = 6;

  dimensions() noexcept : inside_{} {}
  /// Makes `rank` extents and strides of 0. `rank <= inside`.
  explicit dimensions(std::size_t rank) noexcept : rank_(small(rank)), stride_count_(small(rank)), inside_{} {}
  dimensions(const dimensions& other) noexcept
      : rank_(other.rank_), stride_count_(other.stride_count_), shared_(other.shared_) {
    take(other);
  }
  dimensions& operator=(const dimensions& other) noexcept {
    if (this == &other) return *this;
    if (shared_) release();
    rank_ = other.rank_;
    stride_count_ = other.stride_count_;
    shared_ = other.shared_;
    take(other);
    return *this;
  }
  ~dimensions() {
    if (shared_) release();
  }

  /// Returns the number of extents.
  std::size_t rank() const noexcept { return rank_; }
  std::span<const std::uint64_t> shape() const noexcept TGMAP_LIFETIMEBOUND {
    return {shared_ ? block_ + 1 : inside_.shape.data(), rank_};
  }
  std::span<const std::int64_t> strides() const noexcept TGMAP_LIFETIMEBOUND {
    return {shared_ ? shared_strides() : inside_.strides.data(), stride_count_};
  }

  /// Returns the first of `Rank` strides. set() must have stored them with as many extents. Takes no branch if they are
  /// inside.
  template <std::size_t Rank>
  const std::int64_t* strides_of_rank() const noexcept TGMAP_LIFETIMEBOUND {
    if constexpr (Rank <= inside)
      return inside_.strides.data();
    else
      return shared_strides();
  }

  /// Copies shape and strides, at most `max_rank` of each. Returns false if there is no memory, which only more than
  /// `inside` of them need; then nothing has changed.
  [[nodiscard]] bool set(std::span<const std::uint64_t> shape, std::span<const std::int64_t> strides) noexcept {
    if (shared_ || shape.size() > inside || strides.size() > inside) return set_shared(shape, strides);
    put(shape, strides);
    return true;
  }

  /// Appends a number. Returns false if there are `max_rank` of them, or no memory.
  [[nodiscard]] bool add_extent(std::uint64_t extent) noexcept {
    if (shared_ || rank_ == inside) return add_shared_extent(extent);
    inside_.shape[rank_++] = extent;
    return true;
  }
  [[nodiscard]] bool add_stride(std::int64_t stride) noexcept {
    if (shared_ || stride_count_ == inside) return add_shared_stride(stride);
    inside_.strides[stride_count_++] = stride;
    return true;
  }
  void clear_shape() noexcept { rank_ = 0; }
  void clear_strides() noexcept { stride_count_ = 0; }

 private:
  struct inside_values {
    std::array<std::uint64_t, inside> shape;
    std::array<std::int64_t, inside> strides;
  };
  static std::uint16_t small(std::size_t n) noexcept { return static_cast<std::uint16_t>(n); }
  const std::int64_t* shared_strides() const noexcept {
    return reinterpret_cast<const std::int64_t*>(block_ + 1 + max_rank);
  }
  void take(const dimensions& other) noexcept {
    if (shared_)
      retain(block_ = other.block_);
    else
      inside_ = other.inside_;
  }
  void put(std::span<const std::uint64_t> shape, std::span<const std::int64_t> strides) noexcept {
    std::copy(shape.begin(), shape.end(), inside_.shape.begin());
    std::copy(strides.begin(), strides.end(), inside_.strides.begin());
    rank_ = small(shape.size());
    stride_count_ = small(strides.size());
  }
  bool set_shared(std::span<const std::uint64_t> shape, std::span<const std::int64_t> strides) noexcept;
  bool take_block(std::span<const std::uint64_t> shape, std::span<const std::int64_t> strides) noexcept;
  bool own_block() noexcept;
  bool add_shared_extent(std::uint64_t) noexcept;
  bool add_shared_stride(std::int64_t) noexcept;
  static void retain(std::uint64_t* block) noexcept;
  void release() noexcept;

  std::uint16_t rank_ = 0, stride_count_ = 0;
  bool shared_ = false;
  union {
    inside_values inside_;
    std::uint64_t* block_;  // a count, `max_rank` extents, `max_rank` strides
  };
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
