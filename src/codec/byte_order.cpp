// SPDX-License-Identifier: Apache-2.0
// Vectors of 16 bytes, which every 64-bit machine has; memory, not these instructions, is what limits the speed.
#include "codec/byte_order.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "wire/bytes.hpp"

namespace tgmap::codec {

namespace {

using halves = std::uint16_t __attribute__((vector_size(16)));

template <std::size_t Unit>
halves swapped(halves in) noexcept {
  in = in << 8 | in >> 8;
  if constexpr (Unit == 4) in = __builtin_shufflevector(in, in, 1, 0, 3, 2, 5, 4, 7, 6);
  if constexpr (Unit == 8) in = __builtin_shufflevector(in, in, 3, 2, 1, 0, 7, 6, 5, 4);
  return in;
}

template <class Word>
void swap_all(const std::byte* from, std::size_t size, std::byte* out) noexcept {
  std::size_t at = 0;
  for (; at + sizeof(halves) <= size; at += sizeof(halves)) {
    halves some;
    std::memcpy(&some, from + at, sizeof some);
    some = swapped<sizeof(Word)>(some);
    std::memcpy(out + at, &some, sizeof some);
  }
  for (; at < size; at += sizeof(Word)) {
    Word word;
    std::memcpy(&word, from + at, sizeof word);
    word = wire::reversed(word);
    std::memcpy(out + at, &word, sizeof word);
  }
}

}  // namespace

void swap_bytes(std::span<const std::byte> from, std::size_t unit, std::span<std::byte> out) noexcept {
  switch (unit) {
    case 2: return swap_all<std::uint16_t>(from.data(), out.size(), out.data());
    case 4: return swap_all<std::uint32_t>(from.data(), out.size(), out.data());
    case 8: return swap_all<std::uint64_t>(from.data(), out.size(), out.data());
    default:
      if (from.data() != out.data()) std::copy_n(from.data(), out.size(), out.data());
  }
}

}  // namespace tgmap::codec
