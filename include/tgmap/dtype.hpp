// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <tgmap/export.hpp>

namespace tgmap {
inline namespace v0 {

/// The element types of the format.
/// Spec: §6.1.
enum class dtype : std::uint8_t {
  float16,
  bfloat16,
  float32,
  float64,
  complex64,
  complex128,
  int8,
  int16,
  int32,
  int64,
  uint8,
  uint16,
  uint32,
  uint64,
  bitmask,  ///< one bit an element, packed from the high bit of each byte
};

/// The number of element types.
inline constexpr std::size_t dtype_count = 15;

/// Returns the name in the file: "float32".
TGMAP_API std::string_view to_string_view(dtype) noexcept;

/// Returns the dtype of that name, or nothing if there is none.
TGMAP_API std::optional<dtype> dtype_from_name(std::string_view) noexcept;

/// Returns the number of bytes of one element; 0 for bitmask.
TGMAP_API std::size_t element_size(dtype) noexcept;

/// Returns the number of bytes that are swapped together when the byte order changes: the size of a component for
/// complex numbers, the size of the element for all others.
TGMAP_API std::size_t swap_unit(dtype) noexcept;

/// Returns the number of bytes of `elements` elements, rounded up to whole bytes for bitmask. Returns nothing on
/// overflow.
TGMAP_API std::optional<std::uint64_t> size_bytes(dtype, std::uint64_t elements) noexcept;

/// A `float16` is an IEEE 754 binary16 as stored in a payload. It is a trivial type with exact widening and without
/// arithmetic.
struct float16 {
  std::uint16_t bits;

  /// Returns the same value as a float, exactly. Keeps NaN payloads and the sign of zero.
  explicit operator float() const noexcept {
    const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000u) << 16;
    const std::uint32_t exponent = (bits >> 10) & 0x1fu;
    const std::uint32_t fraction = bits & 0x3ffu;
    if (exponent == 0x1f) return std::bit_cast<float>(sign | 0x7f800000u | (fraction << 13));
    if (exponent != 0) return std::bit_cast<float>(sign | ((exponent + 112u) << 23) | (fraction << 13));
    const float magnitude = static_cast<float>(fraction) * 0x1p-24f;  // subnormal: exact in float
    return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(magnitude));
  }
  friend bool operator==(float16,
                         float16) noexcept = default;  ///< compares bits: NaN equals itself, +0 does not equal -0
};

/// A `bfloat16` is the upper half of an IEEE 754 binary32, as used in machine learning. It is a trivial type with exact
/// widening and without arithmetic.
struct bfloat16 {
  std::uint16_t bits;

  /// Returns the same value as a float, exactly.
  explicit operator float() const noexcept { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16); }
  friend bool operator==(bfloat16, bfloat16) noexcept = default;  ///< compares bits
};

static_assert(sizeof(float16) == 2 && sizeof(bfloat16) == 2);

namespace detail {
template <class T>
struct dtype_of_helper;
#define TGMAP_DTYPE_OF(type, value)                         \
  template <>                                               \
  struct dtype_of_helper<type> {                            \
    static constexpr tgmap::dtype id = tgmap::dtype::value; \
  }
TGMAP_DTYPE_OF(tgmap::float16, float16);
TGMAP_DTYPE_OF(tgmap::bfloat16, bfloat16);
TGMAP_DTYPE_OF(float, float32);
TGMAP_DTYPE_OF(double, float64);
TGMAP_DTYPE_OF(std::complex<float>, complex64);
TGMAP_DTYPE_OF(std::complex<double>, complex128);
TGMAP_DTYPE_OF(std::int8_t, int8);
TGMAP_DTYPE_OF(std::int16_t, int16);
TGMAP_DTYPE_OF(std::int32_t, int32);
TGMAP_DTYPE_OF(std::int64_t, int64);
TGMAP_DTYPE_OF(std::uint8_t, uint8);
TGMAP_DTYPE_OF(std::uint16_t, uint16);
TGMAP_DTYPE_OF(std::uint32_t, uint32);
TGMAP_DTYPE_OF(std::uint64_t, uint64);
#undef TGMAP_DTYPE_OF
}  // namespace detail

/// A C++ type that holds one element of a dtype. There is none for bitmask.
template <class T>
concept element = requires {
  detail::dtype_of_helper<T>::id;
};

/// The dtype that `T` holds.
template <element T>
inline constexpr dtype dtype_of = detail::dtype_of_helper<T>::id;

}  // namespace v0
}  // namespace tgmap
