// SPDX-License-Identifier: Apache-2.0
// Vectors of bytes, written once and compiled for each instruction set; see each_target.hpp, which comes before this.
#if defined(TGMAP_CODEC_OCTETS) == defined(HWY_TARGET_TOGGLE)  // once for each of them
#ifdef TGMAP_CODEC_OCTETS
#undef TGMAP_CODEC_OCTETS
#else
#define TGMAP_CODEC_OCTETS
#endif

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

HWY_BEFORE_NAMESPACE();
namespace tgmap::codec::HWY_NAMESPACE {

namespace {

// Of 32 bytes memory is what limits the speed.
#ifdef TGMAP_HIGHWAY
inline constexpr std::size_t octets_size = HWY_ARCH_X86 && HWY_MAX_BYTES >= 32 ? 32 : 16;
inline constexpr bool has_tables =
    HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128;  ///< 16 bytes in any order at once
#else
inline constexpr std::size_t octets_size = 16;  // which every 64-bit machine has
inline constexpr bool has_tables = false;
#endif

/// One or two blocks of 16 bytes: bytes do not leave their block but by what is told to move blocks.
using octets = std::uint8_t __attribute__((vector_size(octets_size)));
using octet_numbers = std::make_index_sequence<octets_size>;

[[gnu::always_inline]] inline octets load_octets(const std::byte* from) noexcept {
  octets out;
  std::memcpy(&out, from, sizeof out);
  return out;
}
[[gnu::always_inline]] inline void store_octets(octets bytes, std::byte* to) noexcept {
  std::memcpy(to, &bytes, sizeof bytes);
}

/// So many bytes that are shuffled lie in no cache.
inline constexpr std::size_t beyond_caches = std::size_t{4} << 20;

/// The bytes of the first half of each block in turn with those of the other vector; of the second half.
template <std::size_t... I>
[[gnu::always_inline]] inline octets lower_zipped(octets a, octets b, std::index_sequence<I...>) noexcept {
  return __builtin_shufflevector(a, b, (I / 16 * 16 + I % 16 / 2 + I % 2 * octets_size)...);
}
template <std::size_t... I>
[[gnu::always_inline]] inline octets upper_zipped(octets a, octets b, std::index_sequence<I...>) noexcept {
  return __builtin_shufflevector(a, b, (I / 16 * 16 + I % 16 / 2 + 8 + I % 2 * octets_size)...);
}

/// The first blocks of two vectors; the second ones.
template <std::size_t... I>
[[gnu::always_inline]] inline octets lower_blocks(octets a, octets b, std::index_sequence<I...>) noexcept {
  return __builtin_shufflevector(a, b, (I % 16 + I / 16 * octets_size)...);
}
template <std::size_t... I>
[[gnu::always_inline]] inline octets upper_blocks(octets a, octets b, std::index_sequence<I...>) noexcept {
  return __builtin_shufflevector(a, b, ((I % 16 + 16 + I / 16 * octets_size) % (2 * octets_size))...);
}

template <std::size_t Size>
using octet_vectors = std::array<octets, Size>;

/// The bytes of the first half of the vectors in turn with those of the second, `Rounds` times, block by
/// block. Each round moves the highest bit of a byte's place to its lowest. Without loops, so that everything stays in
/// registers however much the compiler optimises.
template <std::size_t Rounds, std::size_t Size, std::size_t... K>
[[gnu::always_inline]] inline octet_vectors<Size> zipped(const octet_vectors<Size>& in,
                                                         std::index_sequence<K...> all) noexcept {
  if constexpr (Rounds == 0) {
    return in;
  } else {
    const octet_vectors<Size> once{(K % 2 == 0 ? lower_zipped(in[K / 2], in[K / 2 + Size / 2], octet_numbers())
                                               : upper_zipped(in[K / 2], in[K / 2 + Size / 2], octet_numbers()))...};
    return zipped<Rounds - 1>(once, all);
  }
}

/// Of blocks that follow each other those of the first half as first ones, and those of the second half as second ones.
template <std::size_t Size, std::size_t... K>
[[gnu::always_inline]] inline octet_vectors<Size> halves_as_blocks(const octet_vectors<Size>& in,
                                                                   std::index_sequence<K...>) noexcept {
  if constexpr (octets_size == 16) return in;
  return {(K % 2 == 0 ? lower_blocks(in[K / 2], in[K / 2 + Size / 2], octet_numbers())
                      : upper_blocks(in[K / 2], in[K / 2 + Size / 2], octet_numbers()))...};
}

/// The way back.
template <std::size_t Size, std::size_t... K>
[[gnu::always_inline]] inline octet_vectors<Size> blocks_as_halves(const octet_vectors<Size>& in,
                                                                   std::index_sequence<K...>) noexcept {
  if constexpr (octets_size == 16) return in;
  return {(K < Size / 2 ? lower_blocks(in[2 * K % Size], in[2 * K % Size + 1], octet_numbers())
                        : upper_blocks(in[2 * K % Size], in[2 * K % Size + 1], octet_numbers()))...};
}

}  // namespace

}  // namespace tgmap::codec::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
