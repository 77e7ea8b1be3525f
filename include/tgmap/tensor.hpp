// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <span>
#include <tgmap/array_view.hpp>
#include <tgmap/descriptor.hpp>
#include <tgmap/error.hpp>
#include <type_traits>
#include <utility>

namespace tgmap {
inline namespace v0 {

/// A `pin` keeps the mapping, the message table and all memory of an archive alive. Handles, views and spans stay valid
/// as long as the archive or one pin of it lives.
/// Thread safety: copyable; any thread may receive it and destroy it.
class pin {
 public:
  pin() noexcept = default;
  explicit pin(std::shared_ptr<const void> kept) noexcept : kept_(std::move(kept)) {}
  explicit operator bool() const noexcept { return kept_ != nullptr; }  ///< true if it keeps an archive

 private:
  std::shared_ptr<const void> kept_;
};

namespace detail {
struct tensor_access;
}

/// A `bit_view` is a read-only view of the elements of a bitmask, eight in a byte, the first one in the high bit. It
/// has the members of `array_view` that make sense for bits, so one generic lambda takes both.
/// Lifetime: valid while the tensor that it came from keeps its elements.
/// Thread safety: any number of threads may read through one.
class bit_view {
 public:
  using value_type = bool;

  bit_view() noexcept = default;  ///< no elements

  /// For the library and for adapters: the caller has checked the bounds.
  bit_view(const std::byte* data, std::span<const std::uint64_t> shape, std::span<const std::int64_t> strides)
      : data_(data), layout_(nullptr, shape, strides) {}

  /// Returns the bytes that hold the bits. Null if there are no elements.
  const std::byte* data() const noexcept { return data_; }
  std::size_t rank() const noexcept { return layout_.rank(); }
  std::span<const std::uint64_t> shape() const noexcept TGMAP_LIFETIMEBOUND { return layout_.shape(); }
  /// Returns the strides in elements.
  std::span<const std::int64_t> strides() const noexcept TGMAP_LIFETIMEBOUND { return layout_.strides(); }
  std::size_t size() const noexcept { return layout_.size(); }  ///< number of elements
  bool is_contiguous() const noexcept { return layout_.is_contiguous(); }

  /// Returns element `n` in payload order. `n` is below `size()`; only debug builds check this.
  bool operator[](std::size_t n) const noexcept {
    TGMAP_ASSERT(n < size());
    return bit(data_, n);
  }

  /// Iterates over the elements in payload order.
  class iterator {
   public:
    using value_type = bool;
    using difference_type = std::ptrdiff_t;
    using iterator_concept = std::forward_iterator_tag;
    iterator() noexcept = default;
    iterator(const std::byte* data, std::size_t n) noexcept : data_(data), n_(n) {}
    bool operator*() const noexcept { return bit(data_, n_); }
    iterator& operator++() noexcept {
      ++n_;
      return *this;
    }
    iterator operator++(int) noexcept { return {data_, n_++}; }
    bool operator==(const iterator&) const noexcept = default;

   private:
    const std::byte* data_ = nullptr;
    std::size_t n_ = 0;
  };
  iterator begin() const noexcept { return {data_, 0}; }
  iterator end() const noexcept { return {data_, size()}; }

  /// Returns this view as the range of its elements in C order.
  /// Errors: not_contiguous.
  bit_view values() const {
    if (!is_contiguous()) detail::raise({.code = errc::not_contiguous});
    return *this;
  }

 private:
  static bool bit(const std::byte* data, std::size_t n) noexcept {
    return (data[n / 8] & (std::byte{0x80} >> (n % 8))) != std::byte{0};
  }

  const std::byte* data_ = nullptr;
  array_view<std::uint8_t> layout_{};  // shape and strides alone
};

/// A `tensor` holds the decoded elements of one object, dense and in payload order.
///
/// It owns its memory, or borrows the payload of a plain object. It has no copy constructor; it moves in O(1).
/// Lifetime: views, spans and bytes are valid while the tensor, or one moved from it, lives. Taking them from a
/// temporary tensor does not compile. A tensor that borrows keeps its archive alive, as a pin does; memory given to
/// `archive::from_memory` must outlive it.
/// Thread safety: any number of threads may read one.
class TGMAP_API tensor {
 public:
  tensor() noexcept = default;  ///< no elements
  tensor(tensor&&) noexcept;    ///< leaves the other tensor without elements
  tensor& operator=(tensor&&) noexcept;
  ~tensor() = default;

  tgmap::dtype dtype() const noexcept { return dtype_; }
  tgmap::byte_order byte_order() const noexcept { return order_; }  ///< of the elements in this tensor
  std::uint64_t size() const noexcept { return elements_; }         ///< number of elements

  /// Returns the extents, slowest first. Empty for a scalar.
  std::span<const std::uint64_t> shape() const& noexcept TGMAP_LIFETIMEBOUND { return {shape_.data(), rank_}; }
  /// Returns the strides in elements, one for each extent.
  std::span<const std::int64_t> strides() const& noexcept TGMAP_LIFETIMEBOUND { return {strides_.data(), rank_}; }

  /// Returns the bytes of all elements. A byte holds eight elements of a bitmask, the first one in the high bit.
  std::span<const std::byte> bytes() const& noexcept TGMAP_LIFETIMEBOUND { return bytes_; }
  /// Returns the same bytes for writing. Empty if they are borrowed.
  std::span<std::byte> mutable_bytes() & noexcept TGMAP_LIFETIMEBOUND {
    return is_borrowed() ? std::span<std::byte>() : std::span(memory_.get(), bytes_.size());
  }
  /// Returns whether the elements are those in the archive.
  bool is_borrowed() const noexcept { return bytes_.data() != memory_.get(); }

  /// Returns the elements as `T`.
  /// Errors: dtype_mismatch, foreign_byte_order.
  template <element T>
  array_view<T> view() const& TGMAP_LIFETIMEBOUND {
    failure why;
    auto out = view<T>(why);
    detail::raise_if(why);
    return out;
  }
  template <element T>
  array_view<T> view(failure& why) const& noexcept TGMAP_LIFETIMEBOUND {
    why = viewable(dtype_of<T>);
    if (why) return {};
    return {reinterpret_cast<const T*>(bytes_.data()), shape(), strides(), why};
  }

  /// Calls `f` with an `array_view` of the type that holds the dtype, or with a `bit_view`. Returns the result of `f`,
  /// which must have the same type for all of them. What `f` throws passes through.
  /// Errors: foreign_byte_order; `f` is not called then.
  template <class F>
  auto visit(F&& f) const& {
    detail::raise_if(viewable(dtype_));
    return call(f);
  }
  template <class F>
  auto visit(F&& f, failure& why) const& {
    using result = decltype(call(f));
    why = viewable(dtype_);
    return why ? result() : call(f);
  }

  // Deleted for temporary tensors: what they return would outlive the tensor.
  void shape() const&& = delete;
  void strides() const&& = delete;
  void bytes() const&& = delete;
  void mutable_bytes() const&& = delete;
  template <element T>
  void view() const&& = delete;
  template <element T>
  void view(failure&) const&& = delete;
  template <class F>
  void visit(F&&) const&& = delete;
  template <class F>
  void visit(F&&, failure&) const&& = delete;

 private:
  friend struct detail::tensor_access;
  struct free_memory {
    free_memory() noexcept : bytes(0) {}
    explicit free_memory(std::size_t taken) noexcept : bytes(taken) {}
    std::size_t bytes;
    void operator()(std::byte*) const noexcept;
  };
  failure viewable(tgmap::dtype as) const noexcept;

  template <element T>
  array_view<T> elements_as() const {
    return {reinterpret_cast<const T*>(bytes_.data()), shape(), strides()};
  }
  template <class F, element... T>
  static constexpr bool one_result =
      (std::is_same_v<std::invoke_result_t<F&, bit_view>, std::invoke_result_t<F&, array_view<T>>> && ...);
  template <class F>
  auto call(F& f) const -> std::invoke_result_t<F&, bit_view> {
    static_assert(
        one_result<F, float16, bfloat16, float, double, std::complex<float>, std::complex<double>, std::int8_t,
                   std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>,
        "the function must return the same type for every dtype");
    switch (dtype_) {
      case dtype::float16: return f(elements_as<tgmap::float16>());
      case dtype::bfloat16: return f(elements_as<tgmap::bfloat16>());
      case dtype::float32: return f(elements_as<float>());
      case dtype::float64: return f(elements_as<double>());
      case dtype::complex64: return f(elements_as<std::complex<float>>());
      case dtype::complex128: return f(elements_as<std::complex<double>>());
      case dtype::int8: return f(elements_as<std::int8_t>());
      case dtype::int16: return f(elements_as<std::int16_t>());
      case dtype::int32: return f(elements_as<std::int32_t>());
      case dtype::int64: return f(elements_as<std::int64_t>());
      case dtype::uint8: return f(elements_as<std::uint8_t>());
      case dtype::uint16: return f(elements_as<std::uint16_t>());
      case dtype::uint32: return f(elements_as<std::uint32_t>());
      case dtype::uint64: return f(elements_as<std::uint64_t>());
      case dtype::bitmask: break;
    }
    return f(bit_view(bytes_.data(), shape(), strides()));
  }

  tgmap::dtype dtype_ = dtype::uint8;
  tgmap::byte_order order_ = byte_order::little;
  std::size_t rank_ = 1;
  std::uint64_t elements_ = 0;
  std::array<std::uint64_t, max_rank> shape_{};
  std::array<std::int64_t, max_rank> strides_{1};
  std::unique_ptr<std::byte[], free_memory> memory_{};  ///< aligned for every element
  std::span<const std::byte> bytes_{};
  pin archive_{};  ///< of what is borrowed
};

}  // namespace v0
}  // namespace tgmap
