// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstring>

#include "codec/shuffle/shuffle.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "codec/shuffle/shuffle.cpp"
#include "codec/simd/each_target.hpp"
// Which takes it for granted.
#include "codec/simd/byte_vectors.hpp"

HWY_BEFORE_NAMESPACE();
namespace tgmap::codec::HWY_NAMESPACE {

namespace {

/// As many elements as a vector has bytes, all first bytes of them, then all second ones. After the rounds of the way
/// back, four more bring every byte of 16 elements to where it was: four rounds alone undo those, whatever the size.
template <std::size_t Size, std::size_t... K>
[[gnu::always_inline]] inline octet_vectors<Size> places_of(const std::byte* from,
                                                            std::index_sequence<K...> all) noexcept {
  return zipped<4>(halves_as_blocks<Size>({load_octets(from + octets_size * K)...}, all), all);
}

template <std::size_t Size, std::size_t... K>
[[gnu::always_inline]] inline void shuffle_vectors(const std::byte* from, std::byte* out, std::size_t apart,
                                                   std::index_sequence<K...> all) noexcept {
  const auto places = places_of<Size>(from, all);
  (store_octets(places[K], out + K * apart), ...);
}

/// Twice as many: where all places lie in the same set of a cache, a line that is left half written does not stay.
template <std::size_t Size, std::size_t... K>
[[gnu::always_inline]] inline void shuffle_pairs(const std::byte* from, std::byte* out, std::size_t apart,
                                                 std::index_sequence<K...> all) noexcept {
  const auto first = places_of<Size>(from, all), second = places_of<Size>(from + octets_size * Size, all);
  ((store_octets(first[K], out + K * apart), store_octets(second[K], out + K * apart + octets_size)), ...);
}

/// At least as many as a vector has bytes; the last vectors overlap those before them.
template <std::size_t Size>
void shuffle_near(const std::byte* from, std::byte* out, std::size_t apart, std::size_t elements) noexcept {
  constexpr auto all = std::make_index_sequence<Size>();
  std::size_t done = 0;
  for (; elements - done >= 2 * octets_size; done += 2 * octets_size)
    shuffle_pairs<Size>(from + done * Size, out + done, apart, all);
  for (; done < elements; done += octets_size) {
    done = std::min(done, elements - octets_size);
    shuffle_vectors<Size>(from + done * Size, out + done, apart, all);
  }
}

/// What no cache holds is put together near by first, and written a little of each place at a time.
template <std::size_t Size>
bool shuffle_even(std::span<const std::byte> from, std::byte* out) noexcept {
  constexpr std::size_t together = 256;
  const std::size_t elements = from.size() / Size;
  std::size_t done = 0;
  if ((Size == 4 || Size == 8) && from.size() >= beyond_caches) {
    alignas(64) std::array<std::byte, Size * together> near;
    for (; elements - done >= together + octets_size; done += together) {
      shuffle_near<Size>(from.data() + done * Size, near.data(), together, together);
      for (std::size_t k = 0; k < Size; ++k)
        std::copy_n(near.data() + k * together, together, out + k * elements + done);
    }
  }
  shuffle_near<Size>(from.data() + done * Size, out + done, elements, elements - done);
  return true;
}

/// False: nothing was done, of few elements or of a size without a kernel.
bool shuffle_by_vectors(std::span<const std::byte> from, std::size_t size, std::byte* out) {
  if (from.size() / octets_size < size) return false;
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
