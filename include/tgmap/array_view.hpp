// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/dtype.hpp>
#include <tgmap/error.hpp>
#include <tgmap/options.hpp>

namespace tgmap {
inline namespace v0 {

/// Elements of a tensor where they lie: read-only, shape and strides held inside, data borrowed.
///
/// Every element that an index within the shape can reach was proven to lie in the payload when the view was made.
/// Strides count elements and are a permutation of a dense layout, below 0 where a dimension is stored descending (ZIO
/// alone has that). Trivially copyable; valid while the archive, or a
/// pin of it, lives; safe from any number of threads.
template <element T>
class array_view {
 public:
  using value_type = T;

  /// An empty view: rank 1, no elements.
  array_view() noexcept : rank_(1) {}

  /// For the library and for adapters: the caller has proven the bounds. `shape.size() == strides.size() <= max_rank`.
  array_view(const T* data, std::span<const std::uint64_t> shape, std::span<const std::int64_t> strides) noexcept
      : data_(data), rank_(std::min({shape.size(), strides.size(), max_rank})) {
    std::copy_n(shape.begin(), rank_, shape_.begin());
    std::copy_n(strides.begin(), rank_, strides_.begin());
  }

  /// Null when there are no elements.
  const T* data() const noexcept { return data_; }
  std::size_t rank() const noexcept { return rank_; }
  /// Extents, slowest first as written in the file.
  std::span<const std::uint64_t> shape() const noexcept TGMAP_LIFETIMEBOUND { return {shape_.data(), rank_}; }
  /// In elements.
  std::span<const std::int64_t> strides() const noexcept TGMAP_LIFETIMEBOUND { return {strides_.data(), rank_}; }

  /// Number of elements; 1 for a scalar.
  std::size_t size() const noexcept {
    std::size_t n = 1;
    for (std::size_t d = 0; d < rank_; ++d) n *= static_cast<std::size_t>(shape_[d]);
    return n;
  }

  /// C order: `values()` runs over the elements in row-major order. Extents of 1 do not count.
  bool contiguous() const noexcept {
    if (size() == 0) return true;
    std::uint64_t expected = 1;
    for (std::size_t d = rank_; d-- > 0;) {
      if (shape_[d] != 1 && strides_[d] != static_cast<std::int64_t>(expected)) return false;
      expected *= shape_[d];
    }
    return true;
  }

  /// All elements in C order. Throws `errc::not_contiguous` when they lie in another order.
  std::span<const T> values() const {
    if (!contiguous()) detail::raise({.code = errc::not_contiguous});
    return {data_, size()};
  }

  /// Element at an index below each extent; as many indices as dimensions. O(1); checked by assertion only.
  template <std::integral... I>
  const T& operator()(I... i) const noexcept {
    std::int64_t at = 0;
    std::size_t d = 0;
    ((at += static_cast<std::int64_t>(i) * strides_[d++]), ...);
    return data_[at];
  }

  /// As the call operator, from a span of indices. Throws `errc::out_of_range`.
  const T& at(std::span<const std::uint64_t> index) const {
    if (index.size() != rank_) detail::raise({.code = errc::out_of_range, .expected = rank_, .found = index.size()});
    std::int64_t at = 0;
    for (std::size_t d = 0; d < rank_; ++d) {
      if (index[d] >= shape_[d]) detail::raise({.code = errc::out_of_range, .expected = shape_[d], .found = index[d]});
      at += static_cast<std::int64_t>(index[d]) * strides_[d];
    }
    return data_[at];
  }

 private:
  const T* data_ = nullptr;
  std::size_t rank_ = 0;
  std::array<std::uint64_t, max_rank> shape_{};
  std::array<std::int64_t, max_rank> strides_{};
};

}  // namespace v0
}  // namespace tgmap
