// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <support/bytes.hpp>
#include <tgmap/descriptor.hpp>

namespace tgmap_test {

/// Bit patterns of a component: infinity, NaN and the largest finite number.
struct float_pattern {
  tgmap::dtype type;
  std::uint64_t nan, least_nan, infinity, minus_infinity, greatest;
};

inline constexpr float_pattern float_patterns[] = {
    {tgmap::dtype::float16, 0x7e00, 0xfc01, 0x7c00, 0xfc00, 0x7bff},
    {tgmap::dtype::bfloat16, 0x7fc0, 0xff81, 0x7f80, 0xff80, 0x7f7f},
    {tgmap::dtype::float32, 0x7fc00000, 0xff800001, 0x7f800000, 0xff800000, 0x7f7fffff},
    {tgmap::dtype::float64, 0x7ff8000000000000, 0xfff0000000000001, 0x7ff0000000000000, 0xfff0000000000000,
     0x7fefffffffffffff},
    {tgmap::dtype::complex64, 0x7fc00000, 0xff800001, 0x7f800000, 0xff800000, 0x7f7fffff},
    {tgmap::dtype::complex128, 0x7ff8000000000000, 0xfff0000000000001, 0x7ff0000000000000, 0xfff0000000000000,
     0x7fefffffffffffff},
};

inline bytes number_of_bytes(std::uint64_t bits, std::size_t width, tgmap::byte_order order) {
  bytes out = big_endian(bits, static_cast<unsigned>(width));
  if (order == tgmap::byte_order::little) std::reverse(out.begin(), out.end());
  return out;
}

/// Returns finite numbers with any bits, often the largest one.
inline bytes all_finite(const float_pattern& of, std::size_t elements, tgmap::byte_order order, unsigned seed = 1) {
  std::mt19937_64 next(seed);
  const std::size_t component = swap_unit(of.type);
  bytes out;
  while (out.size() < elements * element_size(of.type)) {
    std::uint64_t bits = next() >> (64 - 8 * component);
    if ((bits & of.infinity) == of.infinity || next() % 8 == 0) bits = of.greatest;
    out += number_of_bytes(bits, component, order);
  }
  return out;
}

}  // namespace tgmap_test
