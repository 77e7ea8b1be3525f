// SPDX-License-Identifier: Apache-2.0
#include "codec/mask_values.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "wire/bytes.hpp"

namespace tgmap::codec {

namespace {

/// The bits of NaN, +infinity and -infinity; the fraction of the quiet NaN is its highest bit alone.
struct patterns {
  std::array<std::uint64_t, 3> bits;

  constexpr std::uint64_t of(mask_kind kind) const noexcept { return bits[static_cast<std::size_t>(kind)]; }
};
constexpr patterns float16_patterns{{0x7e00, 0x7c00, 0xfc00}};
constexpr patterns bfloat16_patterns{{0x7fc0, 0x7f80, 0xff80}};
constexpr patterns float32_patterns{{0x7fc00000, 0x7f800000, 0xff800000}};
constexpr patterns float64_patterns{{0x7ff8000000000000, 0x7ff0000000000000, 0xfff0000000000000}};

/// The bits of 64 elements, the first one highest; zero behind the last byte.
std::uint64_t word_of_bits(std::span<const std::byte> bits, std::size_t word) noexcept {
  const std::size_t at = word * 8;
  if (wire::fits(at, 8, bits.size())) return wire::load_be<std::uint64_t>(bits, at);
  std::array<std::byte, 8> end{};
  if (at < bits.size()) std::memcpy(end.data(), bits.data() + at, bits.size() - at);
  return wire::load_be<std::uint64_t>(end.data());
}

/// Puts `element` at all places that are marked: most words of a mask are zero, or full.
template <class Element>
void put_elements(std::span<const std::byte> bits, const Element& element, std::uint64_t first,
                  std::span<std::byte> out) noexcept {
  const std::uint64_t end = first + out.size() / sizeof(Element);
  for (std::uint64_t word = first / 64; word * 64 < end; ++word) {
    std::uint64_t marked = word_of_bits(bits, static_cast<std::size_t>(word));
    if (marked == 0) continue;
    const std::uint64_t base = word * 64;
    if (base < first) marked &= ~std::uint64_t{0} >> (first - base);
    if (end - base < 64) marked &= ~(~std::uint64_t{0} >> (end - base));
    const auto put = [&](unsigned i) {
      std::memcpy(out.data() + (base + i - first) * sizeof(Element), &element, sizeof(Element));
    };
    if (marked == ~std::uint64_t{0}) {
      for (unsigned i = 0; i < 64; ++i) put(i);
      continue;
    }
    while (marked != 0) {
      const auto i = static_cast<unsigned>(std::countl_zero(marked));
      put(i);
      marked &= ~(std::uint64_t{1} << (63 - i));
    }
  }
}

template <class Component, std::size_t Components>
void put_pattern(std::span<const std::byte> bits, const patterns& all, mask_kind kind, byte_order order,
                 std::uint64_t first, std::span<std::byte> out) noexcept {
  auto pattern = static_cast<Component>(all.of(kind));
  if ((order == byte_order::big) != (std::endian::native == std::endian::big)) pattern = wire::reversed(pattern);
  std::array<Component, Components> element;
  element.fill(pattern);
  put_elements(bits, element, first, out);
}

}  // namespace

bool can_be_masked(dtype type) noexcept {
  switch (type) {
    case dtype::float16:
    case dtype::bfloat16:
    case dtype::float32:
    case dtype::float64:
    case dtype::complex64:
    case dtype::complex128: return true;
    default: return false;
  }
}

void put_masked(std::span<const std::byte> bits, mask_kind kind, dtype type, byte_order order, std::uint64_t first,
                std::span<std::byte> out) noexcept {
  switch (type) {
    case dtype::float16: return put_pattern<std::uint16_t, 1>(bits, float16_patterns, kind, order, first, out);
    case dtype::bfloat16: return put_pattern<std::uint16_t, 1>(bits, bfloat16_patterns, kind, order, first, out);
    case dtype::float32: return put_pattern<std::uint32_t, 1>(bits, float32_patterns, kind, order, first, out);
    case dtype::float64: return put_pattern<std::uint64_t, 1>(bits, float64_patterns, kind, order, first, out);
    case dtype::complex64: return put_pattern<std::uint32_t, 2>(bits, float32_patterns, kind, order, first, out);
    case dtype::complex128: return put_pattern<std::uint64_t, 2>(bits, float64_patterns, kind, order, first, out);
    default: return;
  }
}

}  // namespace tgmap::codec
