// SPDX-License-Identifier: Apache-2.0
#include "elements.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>

namespace tgmap_interop {

using tgmap::dtype;

namespace {

/// Returns the pattern that every reader restores (§6.2).
std::uint64_t pattern_of(dtype type, unsigned kind) {
  const auto choose = [&](std::uint64_t nan_, std::uint64_t infinity, std::uint64_t sign) {
    return kind == nan ? nan_ : kind == positive ? infinity : infinity | sign;
  };
  switch (type) {
    case dtype::float16: return choose(0x7e00, 0x7c00, 0x8000);
    case dtype::bfloat16: return choose(0x7fc0, 0x7f80, 0x8000);
    case dtype::float32:
    case dtype::complex64: return choose(0x7fc00000, 0x7f800000, 0x80000000);
    default: return choose(0x7ff8000000000000, 0x7ff0000000000000, 0x8000000000000000);
  }
}

/// Writes the pattern of a kind to an element, to both components of a complex number.
void put(dtype type, unsigned kind, char* element) {
  const std::uint64_t pattern = pattern_of(type, kind);
  const std::size_t unit = tgmap::swap_unit(type);
  char native[8];
  if (unit == 2) {
    const auto narrow = static_cast<std::uint16_t>(pattern);
    std::memcpy(native, &narrow, 2);
  } else if (unit == 4) {
    const auto narrow = static_cast<std::uint32_t>(pattern);
    std::memcpy(native, &narrow, 4);
  } else {
    std::memcpy(native, &pattern, 8);
  }
  for (std::size_t at = 0; at < tgmap::element_size(type); at += unit) std::memcpy(element + at, native, unit);
}

}  // namespace

bool is_float(dtype type) noexcept { return type <= dtype::complex128; }

bytes elements_of(dtype type, std::uint64_t count, bool is_smooth, unsigned not_finite, unsigned seed) {
  bytes out(static_cast<std::size_t>(tgmap::size_bytes(type, count).value()), '\0');
  std::mt19937_64 next(seed);
  if (is_smooth && type == dtype::float64) {
    for (std::size_t i = 0; i < count; ++i) {
      const double value =
          280 + 20 * std::sin(static_cast<double>(i + seed) / 9) + static_cast<double>(next() % 100) / 1e3;
      std::memcpy(out.data() + i * sizeof(value), &value, sizeof(value));
    }
  } else {
    // No byte has all bits of an exponent, so no value is NaN or infinite.
    for (char& byte : out) byte = static_cast<char>(is_float(type) ? next() & 0x3b : next());
  }
  if (type == dtype::bitmask && count % 8 != 0) out.back() &= static_cast<char>(0xff << (8 - count % 8));

  const std::size_t width = tgmap::element_size(type);
  for (std::size_t i = 0; i < count && not_finite != finite; ++i)
    for (const auto& [kind, every] : {std::pair(nan, 5U), std::pair(positive, 7U), std::pair(negative, 11U)})
      if ((not_finite & kind) != 0 && i % every == 3) put(type, kind, out.data() + i * width);
  return out;
}

bytes swapped(dtype type, bytes elements) {
  const std::size_t unit = tgmap::swap_unit(type);
  for (std::size_t at = 0; unit > 1 && at < elements.size(); at += unit)
    std::reverse(elements.begin() + static_cast<std::ptrdiff_t>(at),
                 elements.begin() + static_cast<std::ptrdiff_t>(at + unit));
  return elements;
}

}  // namespace tgmap_interop
