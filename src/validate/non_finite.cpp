// SPDX-License-Identifier: Apache-2.0
#include "validate/non_finite.hpp"

#include <bit>
#include <cstring>

namespace tgmap::checks {

namespace {

template <class Bits>
Bits swapped(Bits bits) noexcept {
  if constexpr (sizeof bits == 2) return __builtin_bswap16(bits);
  if constexpr (sizeof bits == 4) return __builtin_bswap32(bits);
  if constexpr (sizeof bits == 8) return __builtin_bswap64(bits);
}

/// The first component from `from` on whose exponent is all ones.
template <class Bits>
std::uint64_t find(std::span<const std::byte> bytes, std::uint64_t from, Bits exponent, bool swap, Bits& out) noexcept {
  const std::uint64_t count = bytes.size() / sizeof(Bits);
  // The exponent as it lies in memory: nothing has to be swapped until one is found.
  const Bits wanted = swap ? swapped(exponent) : exponent;
  for (std::uint64_t i = from; i < count; ++i) {
    std::memcpy(&out, bytes.data() + i * sizeof(Bits), sizeof(Bits));
    if ((out & wanted) != wanted) continue;
    if (swap) out = swapped(out);
    return i;
  }
  return count;
}

template <class Bits>
std::optional<odd_element> search(std::span<const std::byte> bytes, std::uint64_t from, unsigned components,
                                  Bits exponent, Bits fraction, bool swap) noexcept {
  Bits bits = 0;
  const std::uint64_t at = find(bytes, from * components, exponent, swap, bits);
  if (at == bytes.size() / sizeof(Bits)) return std::nullopt;
  const odd_element out{at / components, (bits & fraction) != 0 ? non_finite::nan : non_finite::infinity,
                        static_cast<unsigned>(at % components)};
  // Of a complex number with both, the NaN counts.
  const bool other = components == 2 && out.component == 0 && out.what == non_finite::infinity;
  if (other && find(bytes, at + 1, exponent, swap, bits) == at + 1 && (bits & fraction) != 0)
    return odd_element{out.index, non_finite::nan, 1};
  return out;
}

}  // namespace

bool is_floating(dtype of) noexcept {
  return of == dtype::float16 || of == dtype::bfloat16 || of == dtype::float32 || of == dtype::float64 ||
         of == dtype::complex64 || of == dtype::complex128;
}

std::optional<odd_element> find_non_finite(std::span<const std::byte> bytes, dtype of, byte_order order,
                                           std::uint64_t from) {
  const bool swap = (order == byte_order::big) != (std::endian::native == std::endian::big);
  const unsigned components = of == dtype::complex64 || of == dtype::complex128 ? 2 : 1;
  switch (of) {
    case dtype::float16: return search<std::uint16_t>(bytes, from, 1, 0x7c00, 0x03ff, swap);
    case dtype::bfloat16: return search<std::uint16_t>(bytes, from, 1, 0x7f80, 0x007f, swap);
    case dtype::float32:
    case dtype::complex64: return search<std::uint32_t>(bytes, from, components, 0x7f800000, 0x007fffff, swap);
    case dtype::float64:
    case dtype::complex128:
      return search<std::uint64_t>(bytes, from, components, 0x7ff0000000000000, 0x000fffffffffffff, swap);
    default: return std::nullopt;
  }
}

}  // namespace tgmap::checks
