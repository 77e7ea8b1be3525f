// SPDX-License-Identifier: Apache-2.0
// Unshuffles elements of a size that is no power of two, as if zeros filled them up to one. Compiled for each
// instruction set, as octets.hpp is.
#if defined(TGMAP_CODEC_UNEVEN_OCTETS) == defined(HWY_TARGET_TOGGLE)
#ifdef TGMAP_CODEC_UNEVEN_OCTETS
#undef TGMAP_CODEC_UNEVEN_OCTETS
#else
#define TGMAP_CODEC_UNEVEN_OCTETS
#endif

#include <algorithm>
#include <bit>
#include <span>

#include "codec/octets.hpp"

HWY_BEFORE_NAMESPACE();
namespace tgmap::codec::HWY_NAMESPACE {

namespace {

/// How many bytes in a block are left of elements that were filled up.
template <std::size_t Size>
constexpr std::size_t uneven_block = 16 / std::bit_ceil(Size) * Size;

using block = std::uint8_t __attribute__((vector_size(16)));

template <std::size_t Number, std::size_t... I>
[[gnu::always_inline]] inline block block_of(octets in, std::index_sequence<I...>) noexcept {
  return __builtin_shufflevector(in, in, (Number * 16 + I)...);
}

/// What is left of the elements of one block, together.
template <std::size_t Size, std::size_t... I>
[[gnu::always_inline]] inline octets closed_up(octets in, std::index_sequence<I...>) noexcept {
  constexpr std::size_t padded = std::bit_ceil(Size);
  return __builtin_shufflevector(
      in, in, (I % 16 < uneven_block<Size> ? I / 16 * 16 + I % 16 / Size * padded + I % 16 % Size : I)...);
}

/// Without tables: each half of a block by itself, of three bytes two out of two times four.
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

/// Whole blocks, of which the next store overwrites what is too much.
template <std::size_t Size, std::size_t Number, std::size_t... K>
[[gnu::always_inline]] inline void store_blocks(const octet_vectors<sizeof...(K)>& in, std::byte* to,
                                                std::index_sequence<K...>) noexcept {
  constexpr auto numbers = std::make_index_sequence<16>();
  if constexpr (has_tables) {
    const block blocks[]{block_of<Number>(closed_up<Size>(in[K], octet_numbers()), numbers)...};
    (std::memcpy(to + uneven_block<Size> * K, &blocks[K], 16), ...);
  } else {
    (store_halves<Size>(block_of<Number>(in[K], numbers), to + uneven_block<Size> * K), ...);
  }
}

/// As many elements as a vector has bytes. Up to `too_much` bytes behind them are written too.
template <std::size_t Size, std::size_t... K>
[[gnu::always_inline]] inline void unshuffle_uneven_vectors(const std::byte* from, std::ptrdiff_t apart, std::byte* out,
                                                            std::index_sequence<K...> all) noexcept {
  constexpr std::size_t padded = sizeof...(K);
  const octet_vectors<padded> places{
      (K < Size ? load_octets(from + static_cast<std::ptrdiff_t>(K % Size) * apart) : octets{})...};
  const auto whole = zipped<std::bit_width(padded) - 1>(places, all);
  store_blocks<Size, 0>(whole, out, all);
  if constexpr (octets_size == 32) store_blocks<Size, 1>(whole, out + 16 * Size, all);
}
inline constexpr std::size_t too_much = 6;

/// At least as many as a vector has bytes; the last ones by way of other memory, where there is room behind them.
template <std::size_t Size>
bool unshuffle_uneven(const std::byte* from, std::ptrdiff_t apart, std::span<std::byte> out) noexcept {
  if constexpr (std::endian::native == std::endian::big) return false;
  constexpr auto all = std::make_index_sequence<std::bit_ceil(Size)>();
  const std::size_t elements = out.size() / Size;
  std::size_t done = 0;
  for (; (elements - done) * Size >= octets_size * Size + too_much; done += octets_size)
    unshuffle_uneven_vectors<Size>(from + done, apart, out.data() + done * Size, all);
  std::array<std::byte, octets_size * Size + too_much> last;
  for (; done < elements; done += octets_size) {
    done = std::min(done, elements - octets_size);
    unshuffle_uneven_vectors<Size>(from + done, apart, last.data(), all);
    std::copy_n(last.data(), octets_size * Size, out.data() + done * Size);
  }
  return true;
}

}  // namespace

}  // namespace tgmap::codec::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
