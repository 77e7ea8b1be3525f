// SPDX-License-Identifier: Apache-2.0
#include "codec/shuffle/shuffle.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "codec/shuffle/unshuffle.cpp"
#include "codec/simd/each_target.hpp"
// Needs each_target.hpp.
#include "codec/simd/byte_vectors.hpp"

HWY_BEFORE_NAMESPACE();
namespace tgmap::codec::HWY_NAMESPACE {

namespace {

/// Unshuffles as many elements as a vector has bytes, from `Size` rows that are `apart` bytes apart. Takes one round
/// for each bit of `Size`.
template <std::size_t Size, std::size_t... K>
[[gnu::always_inline]] inline void unshuffle_vectors(const std::byte* from, std::ptrdiff_t apart, std::byte* out,
                                                     std::index_sequence<K...> all) noexcept {
  const byte_vectors<Size> places{load_vector(from + static_cast<std::ptrdiff_t>(K) * apart)...};
  const auto whole = blocks_as_halves<Size>(interleave<std::bit_width(Size) - 1>(places, all), all);
  (store_vector(whole[K], out + vector_bytes * K), ...);
}

/// Unshuffles at least as many elements as a vector has bytes. The last vectors overlap those before them.
template <std::size_t Size>
void unshuffle_near(const std::byte* from, std::ptrdiff_t apart, std::size_t elements, std::byte* out) noexcept {
  for (std::size_t done = 0; done < elements; done += vector_bytes) {
    done = std::min(done, elements - vector_bytes);
    unshuffle_vectors<Size>(from + done, apart, out + done * Size, std::make_index_sequence<Size>());
  }
}

/// Memory is fastest when read sequentially. Data that exceeds the cache is therefore copied in blocks of each row
/// first, which is faster by half.
template <std::size_t Size>
void unshuffle_even(const std::byte* from, std::ptrdiff_t apart, std::span<std::byte> out) noexcept {
  constexpr std::size_t together = 256;
  const std::size_t elements = out.size() / Size;
  std::size_t done = 0;
  const auto shuffled = static_cast<std::size_t>(apart < 0 ? -apart : apart) * Size;
  if ((Size == 4 || Size == 8) && shuffled >= cache_size) {
    alignas(64) std::array<std::byte, Size * together> near;
    for (; elements - done >= together + vector_bytes; done += together) {
      for (std::size_t k = 0; k < Size; ++k)
        std::copy_n(from + static_cast<std::ptrdiff_t>(k) * apart + done, together, near.data() + k * together);
      unshuffle_near<Size>(near.data(), together, together, out.data() + done * Size);
    }
  }
  unshuffle_near<Size>(from + done, apart, elements - done, out.data() + done * Size);
}

// Elements whose size is not a power of two are unshuffled as if zeros padded them to one.

/// Bytes of a block without the padding of its elements.
template <std::size_t Size>
constexpr std::size_t uneven_block = 16 / std::bit_ceil(Size) * Size;

using block = std::uint8_t __attribute__((vector_size(16)));

template <std::size_t Number, std::size_t... I>
[[gnu::always_inline]] inline block block_of(byte_vector in, std::index_sequence<I...>) noexcept {
  return __builtin_shufflevector(in, in, (Number * 16 + I)...);
}

/// Removes the padding between the elements of each block.
template <std::size_t Size, std::size_t... I>
[[gnu::always_inline]] inline byte_vector closed_up(byte_vector in, std::index_sequence<I...>) noexcept {
  constexpr std::size_t padded = std::bit_ceil(Size);
  return __builtin_shufflevector(
      in, in, (I % 16 < uneven_block<Size> ? I / 16 * 16 + I % 16 / Size * padded + I % 16 % Size : I)...);
}

/// Without byte shuffles: stores each half of a block by itself; with Size 3, two elements of three bytes out of four.
template <std::size_t Size>
[[gnu::always_inline]] inline void store_halves(block bytes, std::byte* to) noexcept {
  std::array<std::uint64_t, 2> halves;
  std::memcpy(halves.data(), &bytes, sizeof halves);
  for (std::uint64_t& half : halves) {
    if constexpr (Size == 3) half = (half & 0xffffff) | (half >> 8 & 0xffffff000000);
    std::memcpy(to, &half, sizeof half);
    to += uneven_block<Size> / 2;
  }
}

/// Stores whole blocks; the next store overwrites the excess bytes.
template <std::size_t Size, std::size_t Number, std::size_t... K>
[[gnu::always_inline]] inline void store_blocks(const byte_vectors<sizeof...(K)>& in, std::byte* to,
                                                std::index_sequence<K...>) noexcept {
  constexpr auto numbers = std::make_index_sequence<16>();
  if constexpr (has_byte_shuffle) {
    const block blocks[]{block_of<Number>(closed_up<Size>(in[K], byte_indices()), numbers)...};
    (std::memcpy(to + uneven_block<Size> * K, &blocks[K], 16), ...);
  } else {
    (store_halves<Size>(block_of<Number>(in[K], numbers), to + uneven_block<Size> * K), ...);
  }
}

/// Unshuffles as many elements as a vector has bytes. Writes up to `overwritten_bytes` bytes past them.
template <std::size_t Size, std::size_t... K>
[[gnu::always_inline]] inline void unshuffle_uneven_vectors(const std::byte* from, std::ptrdiff_t apart, std::byte* out,
                                                            std::index_sequence<K...> all) noexcept {
  constexpr std::size_t padded = sizeof...(K);
  const byte_vectors<padded> places{
      (K < Size ? load_vector(from + static_cast<std::ptrdiff_t>(K % Size) * apart) : byte_vector{})...};
  const auto whole = interleave<std::bit_width(padded) - 1>(places, all);
  store_blocks<Size, 0>(whole, out, all);
  if constexpr (vector_bytes == 32) store_blocks<Size, 1>(whole, out + 16 * Size, all);
}
inline constexpr std::size_t overwritten_bytes = 6;

/// Unshuffles at least as many elements as a vector has bytes; the last ones through a buffer with excess room.
template <std::size_t Size>
bool unshuffle_uneven(const std::byte* from, std::ptrdiff_t apart, std::span<std::byte> out) noexcept {
  if constexpr (std::endian::native == std::endian::big) return false;
  constexpr auto all = std::make_index_sequence<std::bit_ceil(Size)>();
  const std::size_t elements = out.size() / Size;
  std::size_t done = 0;
  for (; (elements - done) * Size >= vector_bytes * Size + overwritten_bytes; done += vector_bytes)
    unshuffle_uneven_vectors<Size>(from + done, apart, out.data() + done * Size, all);
  std::array<std::byte, vector_bytes * Size + overwritten_bytes> last;
  for (; done < elements; done += vector_bytes) {
    done = std::min(done, elements - vector_bytes);
    unshuffle_uneven_vectors<Size>(from + done, apart, last.data(), all);
    std::copy_n(last.data(), vector_bytes * Size, out.data() + done * Size);
  }
  return true;
}

/// Returns false and does nothing if there are too few elements, or no kernel for the size.
bool unshuffle_by_vectors(const std::byte* from, std::ptrdiff_t apart, std::size_t size, std::span<std::byte> out) {
  if (out.size() / vector_bytes < size) return false;
  switch (size) {
    case 2: unshuffle_even<2>(from, apart, out); return true;
    case 3: return unshuffle_uneven<3>(from, apart, out);
    case 4: unshuffle_even<4>(from, apart, out); return true;
    case 5: return unshuffle_uneven<5>(from, apart, out);
    case 6: return unshuffle_uneven<6>(from, apart, out);
    case 7: return unshuffle_uneven<7>(from, apart, out);
    case 8: unshuffle_even<8>(from, apart, out); return true;
    case 16: unshuffle_even<16>(from, apart, out); return true;
    default: return false;
  }
}

}  // namespace

}  // namespace tgmap::codec::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tgmap::codec {

TGMAP_EACH_TARGET(unshuffle_by_vectors);

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
  if (element_size == 1) {
    std::copy_n(from, out.size(), out.data());
    return;
  }
  auto apart = static_cast<std::ptrdiff_t>(shuffled.size() / element_size);
  if (to == byte_sequence::reversed) {  // the last bytes come first
    from += static_cast<std::ptrdiff_t>(element_size - 1) * apart;
    apart = -apart;
  }
  if (!TGMAP_BEST_TARGET(unshuffle_by_vectors)(from, apart, element_size, out))
    unshuffle_plain(shuffled, element_size, first, out, to);
}

}  // namespace tgmap::codec
#endif
