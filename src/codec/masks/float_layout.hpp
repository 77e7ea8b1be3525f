// SPDX-License-Identifier: Apache-2.0
// Bit masks of exponent, fraction and sign of floating-point numbers in memory.
#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <tgmap/descriptor.hpp>

#include "wire/bytes.hpp"

namespace tgmap::codec {

/// Masks for numbers that are loaded without swapping bytes, whatever their byte order.
template <std::unsigned_integral Bits>
struct float_layout {
  Bits exponent, fraction, sign;
  unsigned components;  ///< number of them in an element
};

/// Calls `call` with the float_layout of a type. Returns `otherwise` for types that have no NaN.
template <class Result, class Call>
Result with_float_layout(dtype type, byte_order order, Result otherwise, Call call) noexcept {
  const bool swap = (order == byte_order::big) != (std::endian::native == std::endian::big);
  const auto call_with = [&]<class Bits>(Bits exponent, Bits fraction, unsigned components) {
    const auto sign = static_cast<Bits>(Bits{1} << (8 * sizeof(Bits) - 1));
    if (!swap) return call(float_layout<Bits>{exponent, fraction, sign, components});
    return call(
        float_layout<Bits>{wire::reversed(exponent), wire::reversed(fraction), wire::reversed(sign), components});
  };
  switch (type) {
    case dtype::float16: return call_with(std::uint16_t{0x7c00}, std::uint16_t{0x03ff}, 1);
    case dtype::bfloat16: return call_with(std::uint16_t{0x7f80}, std::uint16_t{0x007f}, 1);
    case dtype::float32: return call_with(std::uint32_t{0x7f800000}, std::uint32_t{0x007fffff}, 1);
    case dtype::complex64: return call_with(std::uint32_t{0x7f800000}, std::uint32_t{0x007fffff}, 2);
    case dtype::float64: return call_with(std::uint64_t{0x7ff0000000000000}, std::uint64_t{0x000fffffffffffff}, 1);
    case dtype::complex128: return call_with(std::uint64_t{0x7ff0000000000000}, std::uint64_t{0x000fffffffffffff}, 2);
    default: return otherwise;
  }
}

}  // namespace tgmap::codec
