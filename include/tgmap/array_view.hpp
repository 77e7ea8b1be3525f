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

/// In which order the elements of a dense tensor are stored.
enum class storage_order : std::uint8_t {
  c,         ///< last dimension fastest
  fortran,   ///< first dimension fastest
  permuted,  ///< dense, in any other order of dimensions
};

/// Whether elements with these strides lie in C order, one behind the other. Extents of 1 do not count; without
/// elements they do. O(rank).
TGMAP_API bool is_c_order(std::span<const std::uint64_t> shape, std::span<const std::int64_t> strides) noexcept;

/// A read-only view of the elements of a tensor where they lie: shape and strides are its own, data is borrowed.
///
/// Every element that an index within the shape can reach was proven to lie in the payload when the view was made.
/// Strides count elements and are a permutation of a dense layout, below 0 where a dimension is stored descending (ZIO
/// alone has that). 112 bytes; up to 6 dimensions lie inside, copies of views of more share one block of memory.
/// Copying never fails and never allocates.
/// Lifetime: valid while the archive, or a pin of it, lives.
/// Thread safety: any number of threads may use one view, and copies of it.
template <element T>
class array_view {
 public:
  using value_type = T;

  /// An empty view: rank 1, no elements.
  array_view() noexcept : dimensions_(1) {}

  /// For the library and for adapters: the caller has proven the bounds. `shape.size() == strides.size() <= max_rank`.
  /// Allocates for more than 6 dimensions only. Errors: out_of_memory.
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
  /// For the library: dimensions that are counted already, as many strides as extents.
  array_view(const T* data, const detail::dimensions& like) noexcept : data_(data), dimensions_(like) {}

  /// Null when there are no elements.
  const T* data() const noexcept { return data_; }
  std::size_t rank() const noexcept { return dimensions_.rank(); }
  /// Extents, slowest first as written in the file.
  std::span<const std::uint64_t> shape() const noexcept TGMAP_LIFETIMEBOUND { return dimensions_.shape(); }
  /// In elements.
  std::span<const std::int64_t> strides() const noexcept TGMAP_LIFETIMEBOUND { return dimensions_.strides(); }

  /// Number of elements; 1 for a scalar.
  std::size_t size() const noexcept {
    std::size_t n = 1;
    for (const std::uint64_t extent : shape()) n *= static_cast<std::size_t>(extent);
    return n;
  }

  /// Returns whether `values()` can run over the elements: they lie in C order, or there are none. Extents of 1 do not
  /// count. Complexity: O(rank).
  bool is_contiguous() const noexcept {
    const auto shape = this->shape();
    const auto strides = this->strides();
    if (size() == 0) return true;
    std::uint64_t expected = 1;
    for (std::size_t d = shape.size(); d-- > 0; expected *= shape[d])
      if (shape[d] != 1 && strides[d] != static_cast<std::int64_t>(expected)) return false;
    return true;
  }

  /// All elements in C order. Errors: not_contiguous, when they lie in another order.
  std::span<const T> values() const {
    if (!is_contiguous()) detail::raise({.code = errc::not_contiguous});
    return {data_, size()};
  }

  /// Returns the element at an index below each extent; as many indices as dimensions. Debug builds and programs with
  /// _GLIBCXX_ASSERTIONS abort if that is not so; in others nothing is checked. Complexity: O(1).
  template <std::integral... I>
  const T& operator()(I... i) const noexcept {
    TGMAP_ASSERT(sizeof...(I) == rank());
    [[maybe_unused]] const std::int64_t* const step = dimensions_.template strides_of_rank<sizeof...(I)>();
    std::int64_t at = 0;
    [[maybe_unused]] std::size_t d = 0;
    ((TGMAP_ASSERT(static_cast<std::uint64_t>(i) < shape()[d]), at += static_cast<std::int64_t>(i) * step[d++]), ...);
    return data_[at];
  }

  /// As the call operator, but always checked. Errors: out_of_range.
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

/// Strides of C order, in elements. `out.size() == shape.size()`. O(rank).
TGMAP_API void c_order_strides(std::span<const std::uint64_t> shape, std::span<std::int64_t> out) noexcept;

/// Copies the strides when every element they reach is one of the dense tensor, each exactly once: then no index
/// within the shape leaves the payload. Extents of 1 may state any stride (`out` gets a harmless one); of a tensor
/// without elements all strides will do. False otherwise, and when their number is not the rank, which is at most
/// `max_rank`. The product of the shape fits 64 bits, as in every descriptor. O(rank²).
TGMAP_API bool dense_strides(std::span<const std::uint64_t> shape, std::span<const std::int64_t> strides,
                             std::span<std::int64_t> out) noexcept;

/// What honoured strides say about storage; what is both C and Fortran order is C order. Nothing: odd strides.
TGMAP_API std::optional<storage_order> storage_order_of(std::span<const std::uint64_t> shape,
                                                        std::span<const std::int64_t> strides) noexcept;

/// Copies elements into C order: the last index fastest, one behind the other to `to`. Any thread; no allocation.
///
/// `origin` is the element at indices 0; `width` its bytes: 1, 2, 4, 8 or 16. Strides count elements, as many as
/// extents and at most `max_rank`; 0 and below 0 too. Every element that they reach must be there to be read, and `to`
/// hold all of them, elsewhere: the caller has seen to that. O(elements), by tiles where that spares the caches.
TGMAP_API void gather_elements(const std::byte* origin, std::size_t width, std::span<const std::uint64_t> shape,
                               std::span<const std::int64_t> strides, std::byte* to) noexcept;

}  // namespace v0
}  // namespace tgmap
