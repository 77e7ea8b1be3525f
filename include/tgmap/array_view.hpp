// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <tgmap/detail/dimensions.hpp>
#include <tgmap/dtype.hpp>
#include <tgmap/error.hpp>
#include <tgmap/export.hpp>
#include <tgmap/options.hpp>

namespace tgmap {
inline namespace v0 {

/// The order in which the elements of a dense tensor are stored.
enum class storage_order : std::uint8_t {
  c,         ///< last dimension fastest
  fortran,   ///< first dimension fastest
  permuted,  ///< any other order of dimensions
};

/// Returns whether elements with these strides are in C order, without space between them. The strides of extents of
/// 1 do not matter. Without elements it is true.
/// Complexity: O(rank).
TGMAP_API bool is_c_order(std::span<const std::uint64_t> shape, std::span<const std::int64_t> strides) noexcept;

/// An `array_view` is a read-only view of the elements of a tensor. It has its own shape and strides and borrows the
/// data.
///
/// Each index within the shape refers to an element of the payload; this was checked when the view was made. Strides
/// count elements and are a permutation of a dense layout. A stride is negative if its dimension is stored descending,
/// which only ZIO does. A view takes 112 bytes. Up to 6 dimensions are inside; for more, copies share one block of
/// memory. Copying never fails and never allocates.
/// Lifetime: valid while the archive, or a pin of it, lives.
/// Thread safety: any number of threads may use one view and its copies.
template <element T>
class array_view {
 public:
  using value_type = T;

  /// Makes an empty view: rank 1, no elements.
  array_view() noexcept : dimensions_(1) {}

  /// For the library and for adapters: the caller has checked the bounds. `shape.size() == strides.size() <= max_rank`.
  /// Allocates only for more than 6 dimensions.
  /// Errors: out_of_memory.
  array_view(const T* data, std::span<const std::uint64_t> shape, std::span<const std::int64_t> strides) : data_(data) {
    if (!describe(shape, strides)) detail::raise({.code = errc::out_of_memory});
  }
  array_view(const T* data, std::span<const std::uint64_t> shape, std::span<const std::int64_t> strides,
             failure& why) noexcept
      : array_view() {
    why = {};
    if (describe(shape, strides))
      data_ = data;
    else
      why.code = errc::out_of_memory;
  }
  /// For the library: takes checked dimensions with as many strides as extents.
  array_view(const T* data, const detail::dimensions& dimensions) noexcept : data_(data), dimensions_(dimensions) {}

  /// Returns the element whose indices are all 0; null if there are no elements.
  const T* data() const noexcept { return data_; }
  std::size_t rank() const noexcept { return dimensions_.rank(); }
  /// Returns the extents, slowest first, as written in the file.
  std::span<const std::uint64_t> shape() const noexcept TGMAP_LIFETIMEBOUND { return dimensions_.shape(); }
  /// Returns the strides in elements.
  std::span<const std::int64_t> strides() const noexcept TGMAP_LIFETIMEBOUND { return dimensions_.strides(); }

  /// Returns the number of elements; 1 for a scalar.
  std::size_t size() const noexcept {
    std::size_t n = 1;
    for (const std::uint64_t extent : shape()) n *= static_cast<std::size_t>(extent);
    return n;
  }

  /// Returns whether `values()` succeeds: the elements are in C order, or there are none. Extents of 1 do not matter.
  /// Complexity: O(rank).
  bool is_contiguous() const noexcept {
    const auto shape = this->shape();
    const auto strides = this->strides();
    if (size() == 0) return true;
    std::uint64_t expected = 1;
    for (std::size_t d = shape.size(); d-- > 0; expected *= shape[d])
      if (shape[d] != 1 && strides[d] != static_cast<std::int64_t>(expected)) return false;
    return true;
  }

  /// Returns all elements in C order.
  /// Errors: not_contiguous if they are stored in another order.
  std::span<const T> values() const {
    if (!is_contiguous()) detail::raise({.code = errc::not_contiguous});
    return {data_, size()};
  }

  /// Returns the element at an index: one number for each dimension, below its extent. Debug builds and programs with
  /// _GLIBCXX_ASSERTIONS abort otherwise; other builds check nothing.
  /// Complexity: O(1).
  template <std::integral... I>
  const T& operator()(I... i) const noexcept {
    TGMAP_ASSERT(sizeof...(I) == rank());
    [[maybe_unused]] const std::int64_t* const step = dimensions_.template strides_of_rank<sizeof...(I)>();
    std::int64_t at = 0;
    [[maybe_unused]] std::size_t d = 0;
    ((TGMAP_ASSERT(static_cast<std::uint64_t>(i) < shape()[d]), at += static_cast<std::int64_t>(i) * step[d++]), ...);
    return data_[at];
  }

  /// Returns the element at an index and always checks it.
  /// Errors: out_of_range.
  template <std::integral... I>
  const T& at(I... i) const {
    const std::array<std::uint64_t, sizeof...(I)> index{static_cast<std::uint64_t>(i)...};
    return at(std::span<const std::uint64_t>(index));
  }
  const T& at(std::span<const std::uint64_t> index) const {
    const auto shape = this->shape();
    const auto strides = this->strides();
    if (index.size() != rank()) detail::raise({.code = errc::out_of_range, .expected = rank(), .found = index.size()});
    std::int64_t at = 0;
    for (std::size_t d = 0; d < index.size(); ++d) {
      if (index[d] >= shape[d]) detail::raise({.code = errc::out_of_range, .expected = shape[d], .found = index[d]});
      at += static_cast<std::int64_t>(index[d]) * strides[d];
    }
    return data_[at];
  }

 private:
  bool describe(std::span<const std::uint64_t> shape, std::span<const std::int64_t> strides) noexcept {
    const std::size_t rank = std::min({shape.size(), strides.size(), max_rank});
    return dimensions_.set(shape.first(rank), strides.first(rank));
  }

  const T* data_ = nullptr;
  detail::dimensions dimensions_{};
};
static_assert(sizeof(array_view<float>) <= 112);

/// Writes the strides of C order, in elements. `out.size() == shape.size()`.
/// Complexity: O(rank).
TGMAP_API void c_order_strides(std::span<const std::uint64_t> shape, std::span<std::int64_t> out) noexcept;

/// Returns whether the strides are dense: they reach each element of the dense tensor exactly once. Then no index
/// within the shape leaves the payload, and `out` receives the strides. Extents of 1 may state any stride (`out`
/// receives a harmless one); so may a tensor without elements. Returns false if the number of strides is not the rank
/// or the rank is above `max_rank`. The product of the shape must fit 64 bits, as in every descriptor.
/// Complexity: O(rank²).
TGMAP_API bool dense_strides(std::span<const std::uint64_t> shape, std::span<const std::int64_t> strides,
                             std::span<std::int64_t> out) noexcept;

/// The same for strides as files state them: in elements, or in bytes as some writers do, among them the C and C++
/// examples of the reference implementation. Strides that are not dense in elements are divided by `element_size` if
/// they are dense in bytes. `out` receives strides in elements. A size of 0, that of bitmasks, allows elements only.
/// With the shape, strides and `element_size(dtype)` of a descriptor it answers for every way to reach its elements.
/// Complexity: O(rank²).
TGMAP_API bool dense_strides(std::span<const std::uint64_t> shape, std::span<const std::int64_t> strides,
                             std::size_t element_size, std::span<std::int64_t> out) noexcept;

/// Returns the storage order that dense strides describe; C order if C and Fortran order are the same. Returns nothing
/// if the strides are not dense.
TGMAP_API std::optional<storage_order> storage_order_of(std::span<const std::uint64_t> shape,
                                                        std::span<const std::int64_t> strides) noexcept;

/// Copies elements into C order: the last index fastest, without space between them, to `to`. Allocates nothing.
///
/// `origin` is the element whose indices are all 0. `width` is the number of bytes of an element: 1, 2, 4, 8 or 16.
/// Strides count elements; there is one for each extent, at most `max_rank`; they may be 0 or negative. The caller
/// ensures that every element they reach can be read, and that `to` holds all of them and does not overlap them.
/// Complexity: O(elements). Copies by tiles if that spares the caches.
/// Thread safety: any thread may call it.
TGMAP_API void gather_elements(const std::byte* origin, std::size_t width, std::span<const std::uint64_t> shape,
                               std::span<const std::int64_t> strides, std::byte* to) noexcept;

}  // namespace v0
}  // namespace tgmap
