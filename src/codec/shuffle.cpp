// SPDX-License-Identifier: Apache-2.0
#include "codec/shuffle.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "codec/shuffle.cpp"
#include "codec/each_target.hpp"
// Which takes it for granted.
#include "codec/octets.hpp"
#include "codec/uneven_octets.hpp"

HWY_BEFORE_NAMESPACE();
namespace tgmap::codec::HWY_NAMESPACE {

namespace {

/// As many elements as a vector has bytes, from `Size` places that are `apart`: one round for each bit of `Size`, and
/// elements are whole.
template <std::size_t Size, std::size_t... K>
[[gnu::always_inline]] inline void unshuffle_vectors(const std::byte* from, std::ptrdiff_t apart, std::byte* out,
                                                     std::index_sequence<K...> all) noexcept {
  const octet_vectors<Size> places{load_octets(from + static_cast<std::ptrdiff_t>(K) * apart)...};
  const auto whole = blocks_as_halves<Size>(zipped<std::bit_width(Size) - 1>(places, all), all);
  (store_octets(whole[K], out + octets_size * K), ...);
}

/// At least as many as a vector has bytes; the last vectors overlap those before them.
template <std::size_t Size>
void unshuffle_near(const std::byte* from, std::ptrdiff_t apart, std::size_t elements, std::byte* out) noexcept {
  for (std::size_t done = 0; done < elements; done += octets_size) {
    done = std::min(done, elements - octets_size);
    unshuffle_vectors<Size>(from + done, apart, out + done * Size, std::make_index_sequence<Size>());
  }
}

/// Memory likes to be read along, not in many places in turn: of what no cache holds a little of each place is copied
/// together first, which is faster by a half.
template <std::size_t Size>
void unshuffle_even(const std::byte* from, std::ptrdiff_t apart, std::span<std::byte> out) noexcept {
  constexpr std::size_t together = 256;
  const std::size_t elements = out.size() / Size;
  std::size_t done = 0;
  const auto shuffled = static_cast<std::size_t>(apart < 0 ? -apart : apart) * Size;
  if ((Size == 4 || Size == 8) && shuffled >= beyond_caches) {
    alignas(64) std::array<std::byte, Size * together> near;
    for (; elements - done >= together + octets_size; done += together) {
      for (std::size_t k = 0; k < Size; ++k)
        std::copy_n(from + static_cast<std::ptrdiff_t>(k) * apart + done, together, near.data() + k * together);
      unshuffle_near<Size>(near.data(), together, together, out.data() + done * Size);
    }
  }
  unshuffle_near<Size>(from + done, apart, elements - done, out.data() + done * Size);
}

/// False: nothing was done, of few elements or of a size without a kernel.
bool unshuffle_by_vectors(const std::byte* from, std::ptrdiff_t apart, std::size_t size, std::span<std::byte> out) {
  if (out.size() / octets_size < size) return false;
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
