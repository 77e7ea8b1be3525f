// SPDX-License-Identifier: Apache-2.0
// Vectors of 16 bytes, which every 64-bit machine has; memory, not these instructions, is what limits the speed.
#include "codec/shuffle.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>

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
void store_sixteen(sixteen bytes, std::byte* to) noexcept { std::memcpy(to, &bytes, sizeof bytes); }

template <std::size_t Size>
using sixteens = std::array<sixteen, Size>;

/// The bytes of the first half of the vectors in turn with those of the second, `Rounds` times. Each round moves the
/// highest bit of a byte's place to its lowest: one for each bit of `Size`, and elements are whole. Without loops, so
/// that everything stays in registers however much the compiler optimises.
template <std::size_t Rounds, std::size_t Size, std::size_t... K>
sixteens<Size> zipped(const sixteens<Size>& in, std::index_sequence<K...> all) noexcept {
  if constexpr (Rounds == 0) {
    return in;
  } else {
    const sixteens<Size> once{(K % 2 == 0 ? lower_zipped(in[K / 2], in[K / 2 + Size / 2])
                                          : upper_zipped(in[K / 2], in[K / 2 + Size / 2]))...};
    return zipped<Rounds - 1>(once, all);
  }
}

template <std::size_t Size, std::size_t... K>
void unshuffle_sixteen(const std::byte* from, std::ptrdiff_t apart, std::byte* out,
                       std::index_sequence<K...> all) noexcept {
  const auto whole = zipped<std::bit_width(Size) - 1>(
      sixteens<Size>{load_sixteen(from + static_cast<std::ptrdiff_t>(K) * apart)...}, all);
  (store_sixteen(whole[K], out + 16 * K), ...);
}

/// So many elements, a multiple of sixteen, from `Size` places that are `apart`.
template <std::size_t Size>
void unshuffle_near(const std::byte* from, std::ptrdiff_t apart, std::size_t elements, std::byte* out) noexcept {
  for (std::size_t i = 0; i < elements; i += 16)
    unshuffle_sixteen<Size>(from + i, apart, out + i * Size, std::make_index_sequence<Size>());
}

/// So many bytes lie in no cache.
constexpr std::size_t beyond_caches = std::size_t{4} << 20;

/// As many elements as come in whole sixteens; their number. Memory likes to be read along, not in many places in turn:
/// of what no cache holds a little of each place is copied together first, which is faster by a half.
template <std::size_t Size>
std::size_t unshuffle_sixteens(const std::byte* from, std::ptrdiff_t apart, std::span<std::byte> out) noexcept {
  constexpr std::size_t together = 256;
  const std::size_t elements = out.size() / Size / 16 * 16;
  std::size_t done = 0;
  const auto shuffled = static_cast<std::size_t>(apart < 0 ? -apart : apart) * Size;
  if ((Size == 4 || Size == 8) && shuffled >= beyond_caches) {
    alignas(64) std::array<std::byte, Size * together> near;
    for (; done + together <= elements; done += together) {
      for (std::size_t k = 0; k < Size; ++k)
        std::copy_n(from + static_cast<std::ptrdiff_t>(k) * apart + done, together, near.data() + k * together);
      unshuffle_near<Size>(near.data(), together, together, out.data() + done * Size);
    }
  }
  unshuffle_near<Size>(from + done, apart, elements - done, out.data() + done * Size);
  return elements;
}

using eights = std::uint64_t __attribute__((vector_size(16)));

/// Stores eight bytes of each half, of which the next store overwrites what is too much: elements of three bytes out of
/// four two by two, larger ones out of eight.
template <std::size_t Size>
void store_uneven(sixteen bytes, std::byte* to) noexcept {
  eights both;
  std::memcpy(&both, &bytes, sizeof both);
  if constexpr (Size == 3) both = (both & 0xffffff) | (both >> 8 & 0xffffff000000);
  constexpr std::size_t half = Size == 3 ? 6 : Size;
  const std::uint64_t first = both[0], second = both[1];
  std::memcpy(to, &first, sizeof first);
  std::memcpy(to + half, &second, sizeof second);
}

template <std::size_t Size, std::size_t... K>
void unshuffle_uneven_sixteen(const std::byte* from, std::ptrdiff_t apart, std::byte* out,
                              std::index_sequence<K...> all) noexcept {
  constexpr std::size_t padded = sizeof...(K), bytes_of_one = 16 / padded * Size;
  const auto whole = zipped<std::bit_width(padded) - 1>(
      sixteens<padded>{(K < Size ? load_sixteen(from + static_cast<std::ptrdiff_t>(K) * apart) : sixteen{})...}, all);
  (store_uneven<Size>(whole[K], out + bytes_of_one * K), ...);
}

/// Elements of a size that is no power of two, as if zeros filled them up to one; at least one is left, whose place
/// what is too much of the last store runs into.
template <std::size_t Size>
std::size_t unshuffle_uneven(const std::byte* from, std::ptrdiff_t apart, std::span<std::byte> out) noexcept {
  if constexpr (std::endian::native == std::endian::big) return 0;
  const std::size_t elements = out.size() / Size;
  std::size_t done = 0;
  for (; done + 16 < elements; done += 16)
    unshuffle_uneven_sixteen<Size>(from + done, apart, out.data() + done * Size,
                                   std::make_index_sequence<std::bit_ceil(Size)>());
  return done;
}

}  // namespace

void unshuffle_plain(std::span<const std::byte> shuffled, std::size_t element_size, std::uint64_t first,
                     std::span<std::byte> out, byte_sequence to) noexcept {
  const std::size_t apart = shuffled.size() / element_size, elements = out.size() / element_size;
  for (std::size_t k = 0; k < element_size; ++k) {
    const std::byte* const from = shuffled.data() + k * apart + first;
    const std::size_t place = to == byte_sequence::reversed ? element_size - 1 - k : k;
    for (std::size_t i = 0; i < elements; ++i) out[i * element_size + place] = from[i];
  }
}

void unshuffle(std::span<const std::byte> shuffled, std::size_t element_size, std::uint64_t first,
               std::span<std::byte> out, byte_sequence to) noexcept {
  if (out.empty()) return;
  const std::byte* from = shuffled.data() + first;
  auto apart = static_cast<std::ptrdiff_t>(shuffled.size() / element_size);
  if (to == byte_sequence::reversed) {  // the last bytes come first
    from += static_cast<std::ptrdiff_t>(element_size - 1) * apart;
    apart = -apart;
  }
  std::size_t done = 0;
  switch (element_size) {
    case 1: std::copy_n(from, out.size(), out.data()); return;
    case 2: done = unshuffle_sixteens<2>(from, apart, out); break;
    case 3: done = unshuffle_uneven<3>(from, apart, out); break;
    case 4: done = unshuffle_sixteens<4>(from, apart, out); break;
    case 5: done = unshuffle_uneven<5>(from, apart, out); break;
    case 6: done = unshuffle_uneven<6>(from, apart, out); break;
    case 7: done = unshuffle_uneven<7>(from, apart, out); break;
    case 8: done = unshuffle_sixteens<8>(from, apart, out); break;
    case 16: done = unshuffle_sixteens<16>(from, apart, out); break;
    default: break;
  }
  unshuffle_plain(shuffled, element_size, first + done, out.subspan(done * element_size), to);
}

}  // namespace tgmap::codec
