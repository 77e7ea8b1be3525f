// SPDX-License-Identifier: Apache-2.0
#include "picture/decode.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <type_traits>

namespace tgmap::picture {

namespace {

template <class Bits>
Bits swapped(Bits bits) noexcept {
  if constexpr (sizeof bits == 1) return bits;
  if constexpr (sizeof bits == 2) return __builtin_bswap16(bits);
  if constexpr (sizeof bits == 4) return __builtin_bswap32(bits);
  if constexpr (sizeof bits == 8) return __builtin_bswap64(bits);
}

template <class T>
using bits_of =
    std::conditional_t<sizeof(T) == 1, std::uint8_t,
                       std::conditional_t<sizeof(T) == 2, std::uint16_t,
                                          std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>>;

template <class T, bool Swap>
double load(const std::byte* from) noexcept {
  bits_of<T> bits;
  std::memcpy(&bits, from, sizeof bits);
  if constexpr (Swap) bits = swapped(bits);
  const T number = std::bit_cast<T>(bits);
  if constexpr (std::is_class_v<T>)
    return static_cast<double>(static_cast<float>(number));
  else
    return static_cast<double>(number);
}

template <class T, bool Swap>
void numbers(const std::byte* from, std::uint64_t stride, std::span<double> out) noexcept {
  if (stride == 1) {  // apart, so that compilers see consecutive loads
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = load<T, Swap>(from + i * sizeof(T));
    return;
  }
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = load<T, Swap>(from + i * stride * sizeof(T));
}

template <class T, bool Swap>
void magnitudes(const std::byte* from, std::uint64_t stride, std::span<double> out) noexcept {
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::byte* const at = from + i * stride * 2 * sizeof(T);
    const double real = load<T, Swap>(at), imaginary = load<T, Swap>(at + sizeof(T));
    if constexpr (sizeof(T) == 4)
      out[i] = std::sqrt(real * real + imaginary * imaginary);  // cannot overflow; NaN beside infinity is NaN
    else
      out[i] = std::isnan(real) || std::isnan(imaginary) ? std::nan("") : std::hypot(real, imaginary);
  }
}

void bits(const std::byte* payload, std::uint64_t first, std::uint64_t stride, std::span<double> out) noexcept {
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::uint64_t at = first + i * stride;
    out[i] = static_cast<double>(std::to_integer<unsigned>(payload[at / 8]) >> (7 - at % 8) & 1);
  }
}

template <bool Swap>
void decode_as(const std::byte* payload, dtype of, std::uint64_t first, std::uint64_t stride,
               std::span<double> out) noexcept {
  const std::byte* const at = payload + first * width(of);
  switch (of) {
    case dtype::float16: return numbers<float16, Swap>(at, stride, out);
    case dtype::bfloat16: return numbers<bfloat16, Swap>(at, stride, out);
    case dtype::float32: return numbers<float, Swap>(at, stride, out);
    case dtype::float64: return numbers<double, Swap>(at, stride, out);
    case dtype::complex64: return magnitudes<float, Swap>(at, stride, out);
    case dtype::complex128: return magnitudes<double, Swap>(at, stride, out);
    case dtype::int8: return numbers<std::int8_t, Swap>(at, stride, out);
    case dtype::int16: return numbers<std::int16_t, Swap>(at, stride, out);
    case dtype::int32: return numbers<std::int32_t, Swap>(at, stride, out);
    case dtype::int64: return numbers<std::int64_t, Swap>(at, stride, out);
    case dtype::uint8: return numbers<std::uint8_t, Swap>(at, stride, out);
    case dtype::uint16: return numbers<std::uint16_t, Swap>(at, stride, out);
    case dtype::uint32: return numbers<std::uint32_t, Swap>(at, stride, out);
    case dtype::uint64: return numbers<std::uint64_t, Swap>(at, stride, out);
    case dtype::bitmask: return bits(payload, first, stride, out);
  }
}

}  // namespace

void decode(std::span<const std::byte> payload, dtype of, byte_order order, std::uint64_t first, std::uint64_t stride,
            std::span<double> out) noexcept {
  if ((order == byte_order::big) == (std::endian::native == std::endian::big))
    return decode_as<false>(payload.data(), of, first, stride, out);
  decode_as<true>(payload.data(), of, first, stride, out);
}

}  // namespace tgmap::picture
