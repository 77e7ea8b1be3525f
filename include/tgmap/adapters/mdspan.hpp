// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// Views as `std::mdspan`. The result of `as_mdspan` is
/// - `std::mdspan<const T, std::dextents<std::uint64_t, Rank>, std::layout_stride>`, if the standard library has it;
/// - the same type of the namespace in the macro `TGMAP_MDSPAN_NAMESPACE`, if the program defines it and includes that
///   implementation before this header;
/// - otherwise a `strided_span`, which has the members that code for any mdspan needs.

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/array_view.hpp>
#include <version>

#if !defined(TGMAP_MDSPAN_NAMESPACE) && defined(__cpp_lib_mdspan)
#include <mdspan>
#define TGMAP_MDSPAN_NAMESPACE std
#endif

namespace tgmap {
inline namespace v0 {

/// A `strided_extents` has the extents of a `strided_span`, with the members of `std::dextents`.
template <std::size_t Rank>
class strided_extents {
 public:
  using index_type = std::uint64_t;
  using size_type = std::uint64_t;
  using rank_type = std::size_t;

  constexpr strided_extents() noexcept = default;
  explicit constexpr strided_extents(const std::array<index_type, Rank>& values) noexcept : values_(values) {}

  static constexpr rank_type rank() noexcept { return Rank; }
  static constexpr rank_type rank_dynamic() noexcept { return Rank; }
  static constexpr std::size_t static_extent(rank_type) noexcept { return std::dynamic_extent; }
  constexpr index_type extent(rank_type d) const noexcept { return values_[d]; }
  friend constexpr bool operator==(const strided_extents&, const strided_extents&) noexcept = default;

 private:
  std::array<index_type, Rank> values_{};
};

/// A `strided_layout` is the layout of a `strided_span`. Unlike `std::layout_stride` it allows strides below 0. Places
/// of elements are therefore signed numbers.
struct strided_layout {
  template <class Extents>
  class mapping {
   public:
    using extents_type = Extents;
    using index_type = typename Extents::index_type;
    using size_type = typename Extents::size_type;
    using rank_type = typename Extents::rank_type;
    using layout_type = strided_layout;
    using strides_type = std::array<std::int64_t, Extents::rank()>;

    constexpr mapping() noexcept = default;
    constexpr mapping(const extents_type& extents, const strides_type& strides) noexcept
        : extents_(extents), strides_(strides) {}

    constexpr const extents_type& extents() const noexcept TGMAP_LIFETIMEBOUND { return extents_; }
    constexpr const strides_type& strides() const noexcept TGMAP_LIFETIMEBOUND { return strides_; }
    constexpr std::int64_t stride(rank_type d) const noexcept { return strides_[d]; }  ///< in elements

    /// Returns the number of places from the lowest to the highest element; 0 without elements.
    constexpr index_type required_span_size() const noexcept {
      index_type out = 1;
      for (rank_type d = 0; d < Extents::rank(); ++d) {
        if (extents_.extent(d) == 0) return 0;
        out += (extents_.extent(d) - 1) * step(d);
      }
      return out;
    }

    /// Returns the place of an element, relative to the one at indices 0. Bounds are asserted as in strided_span.
    template <std::integral... I>
    requires(sizeof...(I) == Extents::rank()) constexpr std::int64_t operator()(I... i) const noexcept {
      std::int64_t at = 0;
      [[maybe_unused]] rank_type d = 0;
      ((TGMAP_ASSERT(static_cast<index_type>(i) < extents_.extent(d)),
        at += static_cast<std::int64_t>(i) * strides_[d++]),
       ...);
      return at;
    }

    static constexpr bool is_always_unique() noexcept { return false; }
    static constexpr bool is_always_exhaustive() noexcept { return false; }
    static constexpr bool is_always_strided() noexcept { return true; }

    /// Returns true if each dimension steps over all faster ones, so that no two indices share a place. O(rank²).
    constexpr bool is_unique() const noexcept {
      for (rank_type d = 0; d < Extents::rank(); ++d) {
        index_type reached = 0;  // by the faster ones
        for (rank_type e = 0; e < Extents::rank(); ++e)
          if (step(e) < step(d) || (step(e) == step(d) && e < d)) reached += (extents_.extent(e) - 1) * step(e);
        if (extents_.extent(d) > 1 && step(d) <= reached) return required_span_size() == 0;
      }
      return true;
    }
    /// Returns true if it is unique and every place from the lowest to the highest has an element. O(rank²).
    constexpr bool is_exhaustive() const noexcept {
      index_type elements = 1;
      for (rank_type d = 0; d < Extents::rank(); ++d) elements *= extents_.extent(d);
      return is_unique() && required_span_size() == elements;
    }
    static constexpr bool is_strided() noexcept { return true; }
    friend constexpr bool operator==(const mapping&, const mapping&) noexcept = default;

   private:
    constexpr index_type step(rank_type d) const noexcept {
      return static_cast<index_type>(strides_[d] < 0 ? -strides_[d] : strides_[d]);
    }

    extents_type extents_{};
    strides_type strides_{};
  };
};

/// A `strided_accessor` reads elements of a `strided_span`, with the members of `std::default_accessor`.
template <element T>
struct strided_accessor {
  using offset_policy = strided_accessor;
  using element_type = const T;
  using reference = const T&;
  using data_handle_type = const T*;
  constexpr reference access(data_handle_type data, std::int64_t at) const noexcept { return data[at]; }
  constexpr data_handle_type offset(data_handle_type data, std::int64_t at) const noexcept { return data + at; }
};

/// A `strided_span` is a view whose rank is known at compile time, with the members of `std::mdspan`. Dimensions may
/// be stored descending. It is trivially copyable: 8 bytes, and 16 for each dimension. Compilers unroll its indexing.
/// Lifetime, thread safety: as the view that it was made from.
template <element T, std::size_t Rank>
class strided_span {
 public:
  using extents_type = strided_extents<Rank>;
  using layout_type = strided_layout;
  using mapping_type = strided_layout::mapping<extents_type>;
  using accessor_type = strided_accessor<T>;
  using element_type = const T;
  using value_type = T;
  using index_type = std::uint64_t;
  using size_type = std::uint64_t;
  using rank_type = std::size_t;
  using reference = const T&;
  using data_handle_type = const T*;

  constexpr strided_span() noexcept = default;
  constexpr strided_span(data_handle_type data, const mapping_type& mapping) noexcept
      : data_(data), mapping_(mapping) {}
  /// Takes the shape and strides of a view. Errors: too_many_dimensions, if `Rank` is not the rank of the view.
  explicit strided_span(const array_view<T>& view) : data_(view.data()) {
    if (view.rank() != Rank) detail::raise({.code = errc::too_many_dimensions, .expected = Rank, .found = view.rank()});
    std::array<index_type, Rank> shape{};
    std::array<std::int64_t, Rank> strides{};
    std::copy_n(view.shape().begin(), Rank, shape.begin());
    std::copy_n(view.strides().begin(), Rank, strides.begin());
    mapping_ = mapping_type(extents_type(shape), strides);
  }

  static constexpr rank_type rank() noexcept { return Rank; }
  static constexpr rank_type rank_dynamic() noexcept { return Rank; }
  static constexpr std::size_t static_extent(rank_type) noexcept { return std::dynamic_extent; }
  constexpr const extents_type& extents() const noexcept TGMAP_LIFETIMEBOUND { return mapping_.extents(); }
  constexpr const mapping_type& mapping() const noexcept TGMAP_LIFETIMEBOUND { return mapping_; }
  constexpr accessor_type accessor() const noexcept { return {}; }
  constexpr data_handle_type data_handle() const noexcept { return data_; }
  constexpr index_type extent(rank_type d) const noexcept { return extents().extent(d); }
  constexpr std::int64_t stride(rank_type d) const noexcept { return mapping_.stride(d); }  ///< in elements
  constexpr std::size_t size() const noexcept {
    std::size_t n = 1;
    for (rank_type d = 0; d < Rank; ++d) n *= static_cast<std::size_t>(extent(d));
    return n;
  }
  [[nodiscard]] constexpr bool empty() const noexcept { return size() == 0; }

  static constexpr bool is_always_unique() noexcept { return mapping_type::is_always_unique(); }
  static constexpr bool is_always_exhaustive() noexcept { return mapping_type::is_always_exhaustive(); }
  static constexpr bool is_always_strided() noexcept { return mapping_type::is_always_strided(); }
  constexpr bool is_unique() const noexcept { return mapping_.is_unique(); }
  constexpr bool is_exhaustive() const noexcept { return mapping_.is_exhaustive(); }
  constexpr bool is_strided() const noexcept { return mapping_.is_strided(); }

  /// Returns an element. Each index must be below its extent: debug builds and programs with _GLIBCXX_ASSERTIONS abort
  /// otherwise; others check nothing. Complexity: O(1).
  template <std::integral... I>
  requires(sizeof...(I) == Rank) constexpr reference operator()(I... i) const noexcept { return data_[mapping_(i...)]; }
#if defined(__cpp_multidimensional_subscript)
  template <std::integral... I>
  requires(sizeof...(I) == Rank) constexpr reference operator[](I... i) const noexcept { return data_[mapping_(i...)]; }
#endif

  /// Returns the same with a check in every build. Errors: out_of_range.
  template <std::integral... I>
  requires(sizeof...(I) == Rank) constexpr reference at(I... i) const {
    [[maybe_unused]] rank_type d = 0;
    [[maybe_unused]] const auto check = [&](index_type index) {
      const index_type end = extent(d++);
      if (index >= end) detail::raise({.code = errc::out_of_range, .expected = end, .found = index});
    };
    (check(static_cast<index_type>(i)), ...);
    return data_[mapping_(i...)];
  }

 private:
  data_handle_type data_ = nullptr;
  mapping_type mapping_{};
};

#if defined(TGMAP_MDSPAN_NAMESPACE)
/// Returns the view as an mdspan: `as_mdspan<2>(object.view<float>())`. `layout_stride` allows no stride below 1. An
/// extent of 1 gets the stride 1. A tensor without elements gets the strides of C order.
/// Errors: too_many_dimensions, if `Rank` is not the rank of the view; unsupported_strides, if elements of a dimension
/// descend or repeat. `strided_span<T, Rank>(view)` holds such views too.
/// Lifetime: as the view.
template <std::size_t Rank, element T>
TGMAP_MDSPAN_NAMESPACE::mdspan<const T, TGMAP_MDSPAN_NAMESPACE::dextents<std::uint64_t, Rank>,
                               TGMAP_MDSPAN_NAMESPACE::layout_stride>
as_mdspan(const array_view<T>& view) {
  using extents = TGMAP_MDSPAN_NAMESPACE::dextents<std::uint64_t, Rank>;
  using mapping = typename TGMAP_MDSPAN_NAMESPACE::layout_stride::template mapping<extents>;
  const strided_span<T, Rank> from(view);
  if (!from.is_unique()) detail::raise({.code = errc::unsupported_strides});
  std::array<std::uint64_t, Rank> shape{}, strides{};
  std::uint64_t dense = 1;
  for (std::size_t d = Rank; d-- > 0;) {
    shape[d] = from.extent(d);
    strides[d] = from.empty() ? dense : shape[d] == 1 ? 1 : static_cast<std::uint64_t>(from.stride(d));
    if (!from.empty() && shape[d] != 1 && from.stride(d) < 0) detail::raise({.code = errc::unsupported_strides});
    dense *= std::max<std::uint64_t>(shape[d], 1);
  }
  return {view.data(), mapping(extents(shape), strides)};
}
#else
/// Returns the view as a `strided_span`: `as_mdspan<2>(object.view<float>())`.
/// Errors: too_many_dimensions, if `Rank` is not the rank of the view. Lifetime: as the view.
template <std::size_t Rank, element T>
strided_span<T, Rank> as_mdspan(const array_view<T>& view) {
  return strided_span<T, Rank>(view);
}
#endif

}  // namespace v0
}  // namespace tgmap
