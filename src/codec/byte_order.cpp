// SPDX-License-Identifier: Apache-2.0
#include "codec/byte_order.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "wire/bytes.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "codec/byte_order.cpp"
#include "codec/simd/each_target.hpp"
// Needs each_target.hpp.
#include "codec/simd/byte_vectors.hpp"

HWY_BEFORE_NAMESPACE();
namespace tgmap::codec::HWY_NAMESPACE {

namespace {

template <std::size_t Unit, std::size_t... I>
[[gnu::always_inline]] inline byte_vector reversed_units(byte_vector in, std::index_sequence<I...>) noexcept {
  if constexpr (has_byte_shuffle) {
    return __builtin_shufflevector(in, in, (I / Unit * Unit + Unit - 1 - I % Unit)...);
  } else {
    using halves = std::uint16_t __attribute__((vector_size(16)));
    halves out;
    std::memcpy(&out, &in, sizeof out);
    out = out << 8 | out >> 8;
    if constexpr (Unit == 4) out = __builtin_shufflevector(out, out, 1, 0, 3, 2, 5, 4, 7, 6);
    if constexpr (Unit == 8) out = __builtin_shufflevector(out, out, 3, 2, 1, 0, 7, 6, 5, 4);
    std::memcpy(&in, &out, sizeof in);
    return in;
  }
}

template <class Word>
void swap_words(const std::byte* from, std::size_t size, std::byte* out) noexcept {
  std::size_t at = 0;
  for (; size - at >= vector_bytes; at += vector_bytes)
    store_vector(reversed_units<sizeof(Word)>(load_vector(from + at), byte_indices()), out + at);
  for (; at < size; at += sizeof(Word)) {
    Word word;
    std::memcpy(&word, from + at, sizeof word);
    word = wire::reversed(word);
    std::memcpy(out + at, &word, sizeof word);
  }
}

void swap_units(const std::byte* from, std::size_t unit, std::span<std::byte> out) {
  switch (unit) {
    case 2: return swap_words<std::uint16_t>(from, out.size(), out.data());
    case 4: return swap_words<std::uint32_t>(from, out.size(), out.data());
    default: return swap_words<std::uint64_t>(from, out.size(), out.data());
  }
}

}  // namespace

}  // namespace tgmap::codec::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tgmap::codec {

TGMAP_EACH_TARGET(swap_units);

void swap_bytes(std::span<const std::byte> from, std::size_t unit, std::span<std::byte> out) noexcept {
  if (unit == 2 || unit == 4 || unit == 8) return TGMAP_BEST_TARGET(swap_units)(from.data(), unit, out);
  if (from.data() != out.data()) std::copy_n(from.data(), out.size(), out.data());
}

}  // namespace tgmap::codec
#endif
