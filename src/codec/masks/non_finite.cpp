// SPDX-License-Identifier: Apache-2.0
// Uses vectors of 16 bytes, which every 64-bit machine has: memory limits the speed, not these instructions.
#include "codec/masks/non_finite.hpp"

#include <array>
#include <cstring>
#include <type_traits>

#include "codec/masks/float_layout.hpp"

namespace tgmap::codec {

namespace {

/// Bytes that are tested before branching on the result.
constexpr std::size_t block_bytes = 1024;

template <class Lane>
struct lanes_helper;
template <>
struct lanes_helper<std::uint16_t> {
  using type = std::uint16_t __attribute__((vector_size(16)));
};
template <>
struct lanes_helper<std::uint32_t> {
  using type = std::uint32_t __attribute__((vector_size(16)));
};

/// Compares lanes of at most 32 bits, which every machine does in one instruction. For wider numbers the half with the
/// exponent counts; the other half is masked to 0 and compared with 1.
template <class Bits>
bool any_non_finite(const std::byte* from, std::size_t size, Bits exponent) noexcept {
  using lane = std::conditional_t<sizeof(Bits) == 2, std::uint16_t, std::uint32_t>;
  using lanes = typename lanes_helper<lane>::type;
  lanes looked_at, wanted;
  std::array<Bits, sizeof(lanes) / sizeof(Bits)> all;
  all.fill(exponent);
  std::memcpy(&looked_at, all.data(), sizeof looked_at);
  for (std::size_t i = 0; i < sizeof(lanes) / sizeof(lane); ++i) wanted[i] = looked_at[i] != 0 ? looked_at[i] : 1;
  lanes found[4] = {};
  for (std::size_t at = 0; at < size; at += sizeof found)
    for (std::size_t k = 0; k < 4; ++k) {
      lanes some;
      std::memcpy(&some, from + at + k * sizeof some, sizeof some);
      found[k] |= lanes((some & looked_at) == wanted);
    }
  const lanes any = found[0] | found[1] | found[2] | found[3];
  std::array<std::uint64_t, 2> words;
  std::memcpy(words.data(), &any, sizeof any);
  return (words[0] | words[1]) != 0;
}

/// Returns the index of the first component whose exponent is all ones.
template <class Bits>
std::optional<std::uint64_t> find_exponent(std::span<const std::byte> bytes, Bits exponent) noexcept {
  std::size_t at = 0;
  while (bytes.size() - at >= block_bytes && !any_non_finite(bytes.data() + at, block_bytes, exponent))
    at += block_bytes;
  for (; bytes.size() - at >= sizeof(Bits); at += sizeof(Bits)) {
    Bits bits;
    std::memcpy(&bits, bytes.data() + at, sizeof bits);
    if ((bits & exponent) == exponent) return at / sizeof(Bits);
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::uint64_t> find_non_finite(std::span<const std::byte> elements, dtype type,
                                             byte_order order) noexcept {
  return with_float_layout(type, order, std::optional<std::uint64_t>(), [&](auto layout) {
    const auto found = find_exponent(elements, layout.exponent);
    return found ? std::optional(*found / layout.components) : found;
  });
}

}  // namespace tgmap::codec
