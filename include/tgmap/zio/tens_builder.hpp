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

/// The letter by which TENS names elements of a C++ type; "?" where it has none.
template <class T>
inline constexpr char kind_of = letters::kind_of<std::remove_cv_t<T>>();

/// Something like boost::multi_array: dense elements and a shape.
template <class A>
concept multi_array = requires(const A& a) {
  typename A::element;
  { a.data() } -> std::convertible_to<const typename A::element*>;
  { a.num_elements() } -> std::convertible_to<std::size_t>;
  { a.num_dimensions() } -> std::convertible_to<std::size_t>;
  a.shape();
};

/// Makes TENS messages of tensors in the caller's memory, which is borrowed, not copied. One thread at a time.
///
/// Labels are those that ZIO's own writer gives, byte for byte. clear() keeps memory: a label of known shapes costs no
/// allocation once it was made.
class TGMAP_API tens_builder {
 public:
  tens_builder() = default;

  /// Goes on with a message: its parts and every key of its label stay; what JSON allows to be spelled in several ways
  /// is spelled as ZIO does. Errors: bad_label, label_too_deep, bad_tens (TENS or its tensors are of another kind).
  explicit tens_builder(const message&);
  tens_builder(const message&, failure&) noexcept;

  /// A tensor in a new part behind all others; elements dense, in C order, little-endian. `metadata`: a map of scalars
  /// by convention, null for none. Errors: part_size (bytes are not what shape and word need), shape_overflow, those of
  /// write_label; then nothing has changed.
  tens_builder& append(part data, std::string_view kind, std::uint64_t word, std::span<const std::uint64_t> shape,
                       const cbor_value& metadata = {}) TGMAP_LIFETIMEBOUND;
  void append(part data, std::string_view kind, std::uint64_t word, std::span<const std::uint64_t> shape,
              failure& why) noexcept {
    append(std::move(data), kind, word, shape, cbor_value(), why);
  }
  void append(part data, std::string_view kind, std::uint64_t word, std::span<const std::uint64_t> shape,
              const cbor_value& metadata, failure&) noexcept;
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
  /// In C order. Errors: odd_strides (its storage order is another).
  template <multi_array A>
  tens_builder& append(const A& array, const cbor_value& metadata = {}) TGMAP_LIFETIMEBOUND {
    std::int64_t dense = 1;
    for (std::size_t d = array.num_dimensions(); d-- > 0; dense *= static_cast<std::int64_t>(array.shape()[d]))
      if (array.shape()[d] > 1 && array.strides()[d] != dense)
        detail::raise({.code = tgmap::errc::unsupported_strides});
    const std::vector<std::uint64_t> shape(array.shape(), array.shape() + array.num_dimensions());
    return append(std::span<const typename A::element>(array.data(), array.num_elements()), shape, metadata);
  }

  /// A part that no tensor is in.
  tens_builder& add(part) TGMAP_LIFETIMEBOUND;

  /// A key of TENS, such as "metadata", or of the label, such as "flow". Errors: bad_tens ("tensors"; "TENS"); those of
  /// write_label.
  tens_builder& set_tens(std::string_view key, const cbor_value&) TGMAP_LIFETIMEBOUND;
  tens_builder& set(std::string_view key, const cbor_value&) TGMAP_LIFETIMEBOUND;

  void clear() noexcept;  ///< no parts, no tensors, no keys

  std::size_t tensors() const noexcept { return tensors_; }
  std::string label() const;
  /// The same into text that was used before.
  void label(std::string& into) const;
  zio::message message() const;  ///< of form TENS, or of that of the message it goes on with; coordinates 0

 private:
  zio::message kept_{.form = tens_form};
  std::string list_{};  ///< what stands between the brackets of "tensors"
  std::size_t tensors_ = 0;
  std::map<std::string, std::string, std::less<>> of_tens_{}, of_label_{};  ///< JSON
};

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
