// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <tgmap/array_view.hpp>
#include <tgmap/write/cbor_value.hpp>
#include <tgmap/zio/message.hpp>
#include <type_traits>
#include <utility>
#include <vector>

namespace tgmap {
inline namespace v0 {
namespace zio {

namespace letters {
template <class T>
struct is_complex : std::false_type {};
template <std::floating_point T>
struct is_complex<std::complex<T>> : std::true_type {};

template <class T, class... Other>
inline constexpr bool is_any_of = (std::same_as<T, Other> || ...);

template <class T>
constexpr char kind_of() noexcept {
  if constexpr (is_any_of<T, char8_t, char16_t, char32_t, wchar_t>) return '?';
  if constexpr (std::same_as<T, bool>) return 'b';
  if constexpr (std::is_floating_point_v<T> || std::same_as<T, float16>) return 'f';
  if constexpr (is_complex<T>::value) return 'c';
  if constexpr (std::is_integral_v<T> && sizeof(T) <= 8)
    return std::is_signed_v<T> || std::same_as<T, char> ? 'i' : 'u';
  return '?';
}
}  // namespace letters

/// The letter that TENS uses for elements of a C++ type; '?' if it has none.
template <class T>
inline constexpr char kind_of = letters::kind_of<std::remove_cv_t<T>>();

/// A `multi_array` is a type such as `boost::multi_array`: dense elements with a shape.
template <class A>
concept multi_array = requires(const A& a) {
  typename A::element;
  { a.data() } -> std::convertible_to<const typename A::element*>;
  { a.num_elements() } -> std::convertible_to<std::size_t>;
  { a.num_dimensions() } -> std::convertible_to<std::size_t>;
  a.shape();
};

/// A `tens_builder` makes TENS messages from tensors in the memory of the caller, without a copy.
///
/// Labels are byte for byte those of ZIO's own writer. `clear()` keeps the memory, so a label with known shapes needs
/// no allocation the second time.
/// Lifetime: borrows the elements. They must outlive the messages, unless a part has an owner.
/// Thread safety: one thread at a time.
class TGMAP_API tens_builder {
 public:
  tens_builder() = default;  ///< starts without parts, tensors and keys

  /// Starts with the parts and the label of an existing message, to append to it. The JSON is formatted as ZIO does it.
  /// Errors: bad_label, label_too_deep, bad_tens (`TENS` is not an object, or `tensors` is not a list).
  explicit tens_builder(const message&);
  tens_builder(const message&, failure&) noexcept;

  /// Appends a tensor in a new part at the end. The elements are dense, in C order, little-endian.
  ///
  /// `kind` is the letter of `dtype`, `word` the bytes of an element. `metadata` is a map of scalars by convention, or
  /// null for none.
  /// Errors: part_size (`data` does not have the bytes that `shape` and `word` need), shape_overflow, those of
  /// `write_label`. The builder is then unchanged.
  tens_builder& append(part data, std::string_view kind, std::uint64_t word, std::span<const std::uint64_t> shape,
                       const cbor_value& metadata = {}) TGMAP_LIFETIMEBOUND;
  void append(part data, std::string_view kind, std::uint64_t word, std::span<const std::uint64_t> shape,
              failure& why) noexcept {
    append(std::move(data), kind, word, shape, cbor_value(), why);
  }
  void append(part data, std::string_view kind, std::uint64_t word, std::span<const std::uint64_t> shape,
              const cbor_value& metadata, failure&) noexcept;
  /// The same with `kind` and `word` of `T`, without an owner.
  template <class T>
  requires std::is_trivially_copyable_v<T> tens_builder& append(std::span<const T> elements,
                                                                std::span<const std::uint64_t> shape,
                                                                const cbor_value& metadata = {}) TGMAP_LIFETIMEBOUND {
    const char kind = kind_of<T>;
    return append(part{.bytes = std::as_bytes(elements)}, {&kind, 1}, sizeof(T), shape, metadata);
  }
  template <class T>
  requires std::is_trivially_copyable_v<T>
  void append(std::span<const T> elements, std::span<const std::uint64_t> shape, const cbor_value& metadata,
              failure& why) noexcept {
    const char kind = kind_of<T>;
    append(part{.bytes = std::as_bytes(elements)}, {&kind, 1}, sizeof(T), shape, metadata, why);
  }
  template <class T>
  requires std::is_trivially_copyable_v<T>
  void append(std::span<const T> elements, std::span<const std::uint64_t> shape, failure& why) noexcept {
    append(elements, shape, cbor_value(), why);
  }
  /// The same for a `boost::multi_array` in C order.
  /// Errors: also unsupported_strides (the array has another storage order).
  template <multi_array A>
  tens_builder& append(const A& array, const cbor_value& metadata = {}) TGMAP_LIFETIMEBOUND {
    std::int64_t dense = 1;
    for (std::size_t d = array.num_dimensions(); d-- > 0; dense *= static_cast<std::int64_t>(array.shape()[d]))
      if (array.shape()[d] > 1 && array.strides()[d] != dense)
        detail::raise({.code = tgmap::errc::unsupported_strides});
    const std::vector<std::uint64_t> shape(array.shape(), array.shape() + array.num_dimensions());
    return append(std::span<const typename A::element>(array.data(), array.num_elements()), shape, metadata);
  }

  /// Appends a part without a tensor.
  tens_builder& add(part) TGMAP_LIFETIMEBOUND;

  /// Sets a key of the TENS object, such as "metadata".
  /// Errors: bad_tens (the key is "tensors"); those of `write_label`.
  tens_builder& set_tens(std::string_view key, const cbor_value&) TGMAP_LIFETIMEBOUND;
  /// Sets a key of the label beside TENS, such as "flow".
  /// Errors: bad_tens (the key is "TENS"); those of `write_label`.
  tens_builder& set(std::string_view key, const cbor_value&) TGMAP_LIFETIMEBOUND;

  /// Removes all parts, tensors and keys. Keeps the memory.
  void clear() noexcept;

  /// Returns the number of tensors.
  std::size_t tensors() const noexcept { return tensors_; }
  /// Returns the label.
  std::string label() const;
  /// Writes the label into an existing text and reuses its memory.
  void label(std::string& into) const;
  /// Returns the message with form TENS, or the form of the message that the builder started with. Coordinates are 0.
  zio::message message() const;

 private:
  zio::message message_{.form = tens_form};
  std::string list_{};  ///< the JSON between the brackets of "tensors"
  std::size_t tensors_ = 0;
  std::map<std::string, std::string, std::less<>> tens_keys_{}, label_keys_{};  ///< values as JSON
};

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
