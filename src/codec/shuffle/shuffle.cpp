// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstring>

#include "codec/shuffle/shuffle.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "codec/shuffle/shuffle.cpp"
#include "codec/simd/each_target.hpp"
// Needs each_target.hpp.
#include "codec/simd/byte_vectors.hpp"

HWY_BEFORE_NAMESPACE();
namespace tgmap::codec::HWY_NAMESPACE {

namespace {

/// Shuffles as many elements as a vector has bytes. Unshuffling takes log2(Size) rounds; four more would bring each
/// byte of 16 elements back to its position, so four rounds undo them for every size.
template <std::size_t Size, std::size_t... K>
[[gnu::always_inline]] inline byte_vectors<Size> places_of(const std::byte* from,
                                                           std::index_sequence<K...> all) noexcept {
  return interleave<4>(halves_as_blocks<Size>({load_vector(from + vector_bytes * K)...}, all), all);
}

template <std::size_t Size, std::size_t... K>
[[gnu::always_inline]] inline void shuffle_vectors(const std::byte* from, std::byte* out, std::size_t apart,
                                                   std::index_sequence<K...> all) noexcept {
  const auto places = places_of<Size>(from, all);
  (store_vector(places[K], out + K * apart), ...);
}

/// Shuffles twice as many: if all output rows map to the same cache set, half-written lines would be evicted.
template <std::size_t Size, std::size_t... K>
[[gnu::always_inline]] inline void shuffle_pairs(const std::byte* from, std::byte* out, std::size_t apart,
                                                 std::index_sequence<K...> all) noexcept {
  const auto first = places_of<Size>(from, all), second = places_of<Size>(from + vector_bytes * Size, all);
  ((store_vector(first[K], out + K * apart), store_vector(second[K], out + K * apart + vector_bytes)), ...);
}

/// Shuffles at least as many elements as a vector has bytes. The last vectors overlap those before them.
template <std::size_t Size>
void shuffle_near(const std::byte* from, std::byte* out, std::size_t apart, std::size_t elements) noexcept {
  constexpr auto all = std::make_index_sequence<Size>();
  std::size_t done = 0;
  for (; elements - done >= 2 * vector_bytes; done += 2 * vector_bytes)
    shuffle_pairs<Size>(from + done * Size, out + done, apart, all);
  for (; done < elements; done += vector_bytes) {
    done = std::min(done, elements - vector_bytes);
    shuffle_vectors<Size>(from + done * Size, out + done, apart, all);
  }
}

/// Data that exceeds the cache is shuffled in blocks, which are then copied row by row.
template <std::size_t Size>
bool shuffle_even(std::span<const std::byte> from, std::byte* out) noexcept {
  constexpr std::size_t together = 256;
  const std::size_t elements = from.size() / Size;
  std::size_t done = 0;
  if ((Size == 4 || Size == 8) && from.size() >= cache_size) {
    alignas(64) std::array<std::byte, Size * together> near;
    for (; elements - done >= together + vector_bytes; done += together) {
      shuffle_near<Size>(from.data() + done * Size, near.data(), together, together);
      for (std::size_t k = 0; k < Size; ++k)
        std::copy_n(near.data() + k * together, together, out + k * elements + done);
    }
  }
  shuffle_near<Size>(from.data() + done * Size, out + done, elements, elements - done);
  return true;
}

/// Returns false and does nothing if there are too few elements, or no kernel for the size.
bool shuffle_by_vectors(std::span<const std::byte> from, std::size_t size, std::byte* out) {
  if (from.size() / vector_bytes < size) return false;
  switch (size) {
    case 2: return shuffle_even<2>(from, out);
    case 4: return shuffle_even<4>(from, out);
    case 8: return shuffle_even<8>(from, out);
    case 16: return shuffle_even<16>(from, out);
    default: return false;
  }
}

}  // namespace

}  // namespace tgmap::codec::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tgmap::codec {

TGMAP_EACH_TARGET(shuffle_by_vectors);

void shuffle_plain(std::span<const std::byte> elements, std::size_t element_size, std::span<std::byte> out) noexcept {
  const std::size_t all = elements.size() / element_size;
  for (std::size_t k = 0; k < element_size; ++k)
    for (std::size_t i = 0; i < all; ++i) out[k * all + i] = elements[i * element_size + k];
}

void shuffle(std::span<const std::byte> elements, std::size_t element_size, std::span<std::byte> out) noexcept {
  if (elements.empty()) return;
  if (element_size == 1) {
    std::memcpy(out.data(), elements.data(), elements.size());
    return;
  }
  if (!TGMAP_BEST_TARGET(shuffle_by_vectors)(elements, element_size, out.data()))
    shuffle_plain(elements, element_size, out);
}

}  // namespace tgmap::codec
#endif
