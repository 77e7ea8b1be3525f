// SPDX-License-Identifier: Apache-2.0
// Vectors of 16 bytes, which every 64-bit machine has; memory, not these instructions, is what limits the speed.
#include "codec/shuffle.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace tgmap::codec {

namespace {

using sixteen = std::uint8_t __attribute__((vector_size(16)));

sixteen lower_zipped(sixteen a, sixteen b) noexcept {
  return __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}
sixteen upper_zipped(sixteen a, sixteen b) noexcept {
  return __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
}

sixteen load_sixteen(const std::byte* from) noexcept {
  sixteen bytes;
  std::memcpy(&bytes, from, sizeof bytes);
  return bytes;
}

/// As many elements as come in whole sixteens, from `Size` places that are `apart`; their number. Zipping the first
/// half of the vectors with the second moves the highest bit of a byte's place to its lowest; done once for each bit of
/// `Size`, elements are whole.
template <std::size_t Size>
std::size_t unshuffle_sixteens(const std::byte* from, std::size_t apart, std::span<std::byte> out) noexcept {
  const std::size_t elements = out.size() / Size / 16 * 16;
  for (std::size_t i = 0; i < elements; i += 16) {
    std::array<sixteen, Size> now, next;
    for (std::size_t k = 0; k < Size; ++k) now[k] = load_sixteen(from + k * apart + i);
    for (std::size_t bit = 1; bit < Size; bit *= 2) {
      for (std::size_t k = 0; k < Size / 2; ++k) {
        next[2 * k] = lower_zipped(now[k], now[k + Size / 2]);
        next[2 * k + 1] = upper_zipped(now[k], now[k + Size / 2]);
      }
      now = next;
    }
    for (std::size_t k = 0; k < Size; ++k) {
      const sixteen whole = now[k];  // a copy: taking the address of `now` itself would keep it in memory
      std::memcpy(out.data() + i * Size + 16 * k, &whole, sizeof whole);
    }
  }
  return elements;
}

}  // namespace

void unshuffle_plain(std::span<const std::byte> shuffled, std::size_t element_size, std::uint64_t first,
                     std::span<std::byte> out) noexcept {
  const std::size_t apart = shuffled.size() / element_size, elements = out.size() / element_size;
  for (std::size_t k = 0; k < element_size; ++k) {
    const std::byte* const from = shuffled.data() + k * apart + first;
    for (std::size_t i = 0; i < elements; ++i) out[i * element_size + k] = from[i];
  }
}

void unshuffle(std::span<const std::byte> shuffled, std::size_t element_size, std::uint64_t first,
               std::span<std::byte> out) noexcept {
  if (out.empty()) return;
  const std::byte* const from = shuffled.data() + first;
  const std::size_t apart = shuffled.size() / element_size;
  std::size_t done = 0;
  switch (element_size) {
    case 1: std::copy_n(from, out.size(), out.data()); return;
    case 2: done = unshuffle_sixteens<2>(from, apart, out); break;
    case 4: done = unshuffle_sixteens<4>(from, apart, out); break;
    case 8: done = unshuffle_sixteens<8>(from, apart, out); break;
    case 16: done = unshuffle_sixteens<16>(from, apart, out); break;
    default: break;
  }
  unshuffle_plain(shuffled, element_size, first + done, out.subspan(done * element_size));
}

}  // namespace tgmap::codec
