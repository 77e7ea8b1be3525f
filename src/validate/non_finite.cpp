// SPDX-License-Identifier: Apache-2.0
#include "validate/non_finite.hpp"

#include <bit>
#include <cstring>

namespace tgmap::validation {

namespace {

template <class Bits>
Bits swapped(Bits bits) noexcept {
  if constexpr (sizeof bits == 2) return __builtin_bswap16(bits);
  if constexpr (sizeof bits == 4) return __builtin_bswap32(bits);
  if constexpr (sizeof bits == 8) return __builtin_bswap64(bits);
}

/// Returns the index of the first component from `first` on whose exponent is all ones, and its bits; else the number
/// of components.
template <class Bits>
std::uint64_t find_component(std::span<const std::byte> bytes, std::uint64_t first, Bits exponent, bool swap,
                             Bits& out) noexcept {
  const std::uint64_t count = bytes.size() / sizeof(Bits);
  // Swaps the pattern once, instead of each component.
  const Bits pattern = swap ? swapped(exponent) : exponent;
  for (std::uint64_t i = first; i < count; ++i) {
    std::memcpy(&out, bytes.data() + i * sizeof(Bits), sizeof(Bits));
    if ((out & pattern) != pattern) continue;
    if (swap) out = swapped(out);
    return i;
  }
  return count;
}

template <class Bits>
std::optional<non_finite_element> search(std::span<const std::byte> bytes, std::uint64_t first, unsigned components,
                                         Bits exponent, Bits fraction, bool swap) noexcept {
  Bits bits = 0;
  const std::uint64_t at = find_component(bytes, first * components, exponent, swap, bits);
  if (at == bytes.size() / sizeof(Bits)) return std::nullopt;
  const non_finite_element out{at / components, (bits & fraction) != 0 ? non_finite::nan : non_finite::infinity,
                               static_cast<unsigned>(at % components)};
  // A complex number with a NaN and an infinity counts as NaN.
  const bool may_be_nan = components == 2 && out.component == 0 && out.kind == non_finite::infinity;
  if (may_be_nan && find_component(bytes, at + 1, exponent, swap, bits) == at + 1 && (bits & fraction) != 0)
    return non_finite_element{out.index, non_finite::nan, 1};
  return out;
}

}  // namespace

bool is_floating(dtype type) noexcept {
  return type == dtype::float16 || type == dtype::bfloat16 || type == dtype::float32 || type == dtype::float64 ||
         type == dtype::complex64 || type == dtype::complex128;
}

std::optional<non_finite_element> find_non_finite(std::span<const std::byte> bytes, dtype type, byte_order order,
                                                  std::uint64_t first) {
  const bool swap = (order == byte_order::big) != (std::endian::native == std::endian::big);
  const unsigned components = type == dtype::complex64 || type == dtype::complex128 ? 2 : 1;
  switch (type) {
    case dtype::float16: return search<std::uint16_t>(bytes, first, 1, 0x7c00, 0x03ff, swap);
    case dtype::bfloat16: return search<std::uint16_t>(bytes, first, 1, 0x7f80, 0x007f, swap);
    case dtype::float32:
    case dtype::complex64: return search<std::uint32_t>(bytes, first, components, 0x7f800000, 0x007fffff, swap);
    case dtype::float64:
    case dtype::complex128:
      return search<std::uint64_t>(bytes, first, components, 0x7ff0000000000000, 0x000fffffffffffff, swap);
    default: return std::nullopt;
  }
}

}  // namespace tgmap::validation
