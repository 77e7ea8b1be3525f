// SPDX-License-Identifier: Apache-2.0
// Vectors of bytes, written once and compiled for each instruction set; see each_target.hpp, which comes before this.
#if defined(TGMAP_CODEC_BYTE_VECTORS) == defined(HWY_TARGET_TOGGLE)  // once for each of them
#ifdef TGMAP_CODEC_BYTE_VECTORS
#undef TGMAP_CODEC_BYTE_VECTORS
#else
#define TGMAP_CODEC_BYTE_VECTORS
#endif

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

HWY_BEFORE_NAMESPACE();
namespace tgmap::codec::HWY_NAMESPACE {

namespace {

// Vectors of 32 bytes are enough: memory limits the speed.
#ifdef TGMAP_HIGHWAY
inline constexpr std::size_t vector_bytes = HWY_ARCH_X86 && HWY_MAX_BYTES >= 32 ? 32 : 16;
inline constexpr bool has_byte_shuffle =
    HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128;  ///< 16 bytes in any order at once
#else
inline constexpr std::size_t vector_bytes = 16;  // which every 64-bit machine has
inline constexpr bool has_byte_shuffle = false;
#endif

/// One or two blocks of 16 bytes. Bytes stay in their block, except in the functions that move blocks.
using byte_vector = std::uint8_t __attribute__((vector_size(vector_bytes)));
using byte_indices = std::make_index_sequence<vector_bytes>;

[[gnu::always_inline]] inline byte_vector load_vector(const std::byte* from) noexcept {
  byte_vector out;
  std::memcpy(&out, from, sizeof out);
  return out;
}
[[gnu::always_inline]] inline void store_vector(byte_vector bytes, std::byte* to) noexcept {
  std::memcpy(to, &bytes, sizeof bytes);
}

/// Data of at least this size does not fit into the cache while it is shuffled.
inline constexpr std::size_t cache_size = std::size_t{4} << 20;

/// Interleave the lower or upper halves of the blocks of two vectors.
template <std::size_t... I>
[[gnu::always_inline]] inline byte_vector interleave_lower(byte_vector a, byte_vector b,
                                                           std::index_sequence<I...>) noexcept {
  return __builtin_shufflevector(a, b, (I / 16 * 16 + I % 16 / 2 + I % 2 * vector_bytes)...);
}
template <std::size_t... I>
[[gnu::always_inline]] inline byte_vector interleave_upper(byte_vector a, byte_vector b,
                                                           std::index_sequence<I...>) noexcept {
  return __builtin_shufflevector(a, b, (I / 16 * 16 + I % 16 / 2 + 8 + I % 2 * vector_bytes)...);
}

/// Combine the first or the second blocks of two vectors.
template <std::size_t... I>
[[gnu::always_inline]] inline byte_vector lower_blocks(byte_vector a, byte_vector b,
                                                       std::index_sequence<I...>) noexcept {
  return __builtin_shufflevector(a, b, (I % 16 + I / 16 * vector_bytes)...);
}
template <std::size_t... I>
[[gnu::always_inline]] inline byte_vector upper_blocks(byte_vector a, byte_vector b,
                                                       std::index_sequence<I...>) noexcept {
  return __builtin_shufflevector(a, b, ((I % 16 + 16 + I / 16 * vector_bytes) % (2 * vector_bytes))...);
}

template <std::size_t Size>
using byte_vectors = std::array<byte_vector, Size>;

/// Interleaves the bytes of the first half of the vectors with those of the second half, block by block, `Rounds`
/// times. Each round moves the highest bit of the index of a byte to the lowest bit. There are no loops, so that
/// everything stays in registers at every optimisation level.
template <std::size_t Rounds, std::size_t Size, std::size_t... K>
[[gnu::always_inline]] inline byte_vectors<Size> interleave(const byte_vectors<Size>& in,
                                                            std::index_sequence<K...> all) noexcept {
  if constexpr (Rounds == 0) {
    return in;
  } else {
    const byte_vectors<Size> once{(K % 2 == 0 ? interleave_lower(in[K / 2], in[K / 2 + Size / 2], byte_indices())
                                              : interleave_upper(in[K / 2], in[K / 2 + Size / 2], byte_indices()))...};
    return interleave<Rounds - 1>(once, all);
  }
}

/// Pairs blocks of 16 bytes: one from the first half of the vectors with one from the second half.
template <std::size_t Size, std::size_t... K>
[[gnu::always_inline]] inline byte_vectors<Size> halves_as_blocks(const byte_vectors<Size>& in,
                                                                  std::index_sequence<K...>) noexcept {
  if constexpr (vector_bytes == 16) return in;
  return {(K % 2 == 0 ? lower_blocks(in[K / 2], in[K / 2 + Size / 2], byte_indices())
                      : upper_blocks(in[K / 2], in[K / 2 + Size / 2], byte_indices()))...};
}

/// Reverses halves_as_blocks.
template <std::size_t Size, std::size_t... K>
[[gnu::always_inline]] inline byte_vectors<Size> blocks_as_halves(const byte_vectors<Size>& in,
                                                                  std::index_sequence<K...>) noexcept {
  if constexpr (vector_bytes == 16) return in;
  return {(K < Size / 2 ? lower_blocks(in[2 * K % Size], in[2 * K % Size + 1], byte_indices())
                        : upper_blocks(in[2 * K % Size], in[2 * K % Size + 1], byte_indices()))...};
}

}  // namespace

}  // namespace tgmap::codec::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
