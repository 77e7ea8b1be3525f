// SPDX-License-Identifier: Apache-2.0
#include "statistics/load_doubles.hpp"

#include <cmath>
#include <cstring>
#include <type_traits>

namespace tgmap::statistics {

namespace {

template <class T>
double load_number(const std::byte* from) noexcept {
  T number;
  std::memcpy(&number, from, sizeof number);
  if constexpr (std::is_class_v<T>)
    return static_cast<double>(static_cast<float>(number));
  else
    return static_cast<double>(number);
}

template <class T>
void load_numbers(const std::byte* from, std::uint64_t stride, std::span<double> out) noexcept {
  if (stride == 1) {  // a loop of its own, which compilers vectorize
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = load_number<T>(from + i * sizeof(T));
    return;
  }
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = load_number<T>(from + i * stride * sizeof(T));
}

template <class T>
void load_magnitudes(const std::byte* from, std::uint64_t stride, std::span<double> out) noexcept {
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::byte* const at = from + i * stride * 2 * sizeof(T);
    const double real = load_number<T>(at), imaginary = load_number<T>(at + sizeof(T));
    if constexpr (sizeof(T) == 4)
      out[i] = std::sqrt(real * real + imaginary * imaginary);  // cannot overflow; NaN wins over infinity
    else
      out[i] = std::isnan(real) || std::isnan(imaginary) ? std::nan("") : std::hypot(real, imaginary);
  }
}

void load_bits(const std::byte* elements, std::uint64_t first, std::uint64_t stride, std::span<double> out) noexcept {
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::uint64_t at = first + i * stride;
    out[i] = static_cast<double>(std::to_integer<unsigned>(elements[at / 8]) >> (7 - at % 8) & 1);
  }
}

}  // namespace

void load_doubles(std::span<const std::byte> elements, dtype of, std::uint64_t first, std::uint64_t stride,
                  std::span<double> out) noexcept {
  const std::byte* const at = elements.data() + first * element_size(of);
  switch (of) {
    case dtype::float16: return load_numbers<float16>(at, stride, out);
    case dtype::bfloat16: return load_numbers<bfloat16>(at, stride, out);
    case dtype::float32: return load_numbers<float>(at, stride, out);
    case dtype::float64: return load_numbers<double>(at, stride, out);
    case dtype::complex64: return load_magnitudes<float>(at, stride, out);
    case dtype::complex128: return load_magnitudes<double>(at, stride, out);
    case dtype::int8: return load_numbers<std::int8_t>(at, stride, out);
    case dtype::int16: return load_numbers<std::int16_t>(at, stride, out);
    case dtype::int32: return load_numbers<std::int32_t>(at, stride, out);
    case dtype::int64: return load_numbers<std::int64_t>(at, stride, out);
    case dtype::uint8: return load_numbers<std::uint8_t>(at, stride, out);
    case dtype::uint16: return load_numbers<std::uint16_t>(at, stride, out);
    case dtype::uint32: return load_numbers<std::uint32_t>(at, stride, out);
    case dtype::uint64: return load_numbers<std::uint64_t>(at, stride, out);
    case dtype::bitmask: return load_bits(elements.data(), first, stride, out);
  }
}

}  // namespace tgmap::statistics
