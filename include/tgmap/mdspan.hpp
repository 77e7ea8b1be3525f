// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <tgmap/array_view.hpp>

namespace tgmap {
inline namespace v0 {

/// A view of rank known at compile time, with the members of `std::mdspan<const T, dextents, layout_stride>` (which
/// C++20 does not have): data_handle, extent, stride, operator(). Half the size of an array_view for small ranks, and
/// indexing that compilers unroll. Same data, same lifetime as the view it was made from.
template <element T, std::size_t Rank>
class strided_span {
 public:
  using element_type = const T;
  using value_type = T;
  using index_type = std::uint64_t;
  static constexpr std::size_t rank() noexcept { return Rank; }

  /// Throws `errc::too_many_dimensions` when `Rank` is not the view's rank.
  explicit strided_span(const array_view<T>& view) : data_(view.data()) {
    if (view.rank() != Rank) detail::raise({.code = errc::too_many_dimensions, .expected = Rank, .found = view.rank()});
    for (std::size_t d = 0; d < Rank; ++d) {
      extents_[d] = view.shape()[d];
      strides_[d] = view.strides()[d];
    }
  }

  const T* data_handle() const noexcept { return data_; }
  index_type extent(std::size_t d) const noexcept { return extents_[d]; }
  std::int64_t stride(std::size_t d) const noexcept { return strides_[d]; }  ///< in elements
  std::size_t size() const noexcept {
    std::size_t n = 1;
    for (auto e : extents_) n *= static_cast<std::size_t>(e);
    return n;
  }

  /// Element at an index below each extent. O(1), unchecked.
  template <std::integral... I>
  requires(sizeof...(I) == Rank) const T& operator()(I... i) const noexcept {
    std::int64_t at = 0;
    std::size_t d = 0;
    ((at += static_cast<std::int64_t>(i) * strides_[d++]), ...);
    return data_[at];
  }

 private:
  const T* data_ = nullptr;
  std::array<index_type, Rank> extents_{};
  std::array<std::int64_t, Rank> strides_{};
};

/// `as_mdspan<2>(object.view<float>())`.
template <std::size_t Rank, element T>
strided_span<T, Rank> as_mdspan(const array_view<T>& view) {
  return strided_span<T, Rank>(view);
}

}  // namespace v0
}  // namespace tgmap
