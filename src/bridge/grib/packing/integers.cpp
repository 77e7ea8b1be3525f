// SPDX-License-Identifier: Apache-2.0
#include "bridge/grib/packing/integers.hpp"

#include <algorithm>
#include <array>

namespace tgmap {
inline namespace v0 {
namespace bridge::grib {

namespace {

/// Returns the integer of `bits` bits, 1 to 64, at bit `at`. Bits past the end are zeros.
std::uint64_t integer_at(byte_view packed, std::uint64_t at, unsigned bits) noexcept {
  std::array<std::byte, 16> near{};
  const std::uint64_t byte = at / 8;
  if (byte < packed.size()) {
    const std::size_t size = std::min<std::size_t>(9, packed.size() - static_cast<std::size_t>(byte));
    std::copy_n(packed.begin() + static_cast<std::ptrdiff_t>(byte), size, near.begin());
  }
  const auto shift = static_cast<unsigned>(at % 8);
  std::uint64_t word = load_big_endian(near.data()) << shift;
  if (shift > 0) word |= std::to_integer<std::uint64_t>(near[8]) >> (8 - shift);
  return word >> (64 - bits);
}

/// Reads integers of whole bytes from a byte on. All lie in `packed`.
template <unsigned Bytes, class Integer>
void unpack_bytes(const std::byte* from, std::span<Integer> out) noexcept {
  for (Integer& each : out) {
    std::uint64_t number = 0;
    for (unsigned i = 0; i < Bytes; ++i) number = number << 8 | std::to_integer<std::uint64_t>(from[i]);
    each = static_cast<Integer>(number);
    from += Bytes;
  }
}

template <unsigned Bytes, class Integer>
void pack_bytes(std::span<const Integer> integers, std::byte* to) noexcept {
  for (const Integer each : integers) {
    for (unsigned i = 0; i < Bytes; ++i) to[i] = static_cast<std::byte>(std::uint64_t{each} >> 8 * (Bytes - 1 - i));
    to += Bytes;
  }
}

}  // namespace

template <class Integer>
void unpack_integers(byte_view packed, std::uint64_t first, unsigned bits, std::span<Integer> out) noexcept {
  if (bits == 0) {
    std::fill(out.begin(), out.end(), Integer{0});
    return;
  }
  const std::uint64_t begin = first / 8, size = packed_bytes(out.size(), bits);
  if (first % 8 == 0 && begin <= packed.size() && size <= packed.size() - begin) {
    const std::byte* const from = packed.data() + begin;
    switch (bits) {
      case 8: return unpack_bytes<1>(from, out);
      case 16: return unpack_bytes<2>(from, out);
      case 24: return unpack_bytes<3>(from, out);
      case 32: return unpack_bytes<4>(from, out);
      default: break;
    }
  }
  std::size_t i = 0;
  std::uint64_t at = first;
  constexpr unsigned one_load = 57;  // an integer of so many bits lies in the 8 bytes from its first byte on
  if (bits <= one_load && packed.size() >= 8) {
    const std::uint64_t last = packed.size() - 8;
    for (; i < out.size() && at / 8 <= last; ++i, at += bits)
      out[i] = static_cast<Integer>(load_big_endian(packed.data() + at / 8) << at % 8 >> (64 - bits));
  }
  for (; i < out.size(); ++i, at += bits) out[i] = static_cast<Integer>(integer_at(packed, at, bits));
}

template <class Integer>
void pack_integers(std::span<const Integer> integers, unsigned bits, std::span<std::byte> out) noexcept {
  switch (bits) {
    case 0: return;
    case 8: return pack_bytes<1>(integers, out.data());
    case 16: return pack_bytes<2>(integers, out.data());
    case 24: return pack_bytes<3>(integers, out.data());
    case 32: return pack_bytes<4>(integers, out.data());
    default: break;
  }
  std::byte* to = out.data();
  std::uint64_t word = 0;
  unsigned pending = 0;  // bits of `word` that count, the lowest; below 64
  for (const Integer each : integers) {
    const std::uint64_t number = each;
    if (pending + bits < 64) {
      word = word << bits | number;
      pending += bits;
      continue;
    }
    const unsigned left = pending + bits - 64;  // bits of this number that go to the next word
    store_big_endian(to, (pending == 0 ? 0 : word << (bits - left)) | number >> left);
    to += 8;
    word = number;  // higher bits are shifted out later
    pending = left;
  }
  if (pending == 0) return;
  word <<= 64 - pending;
  for (unsigned at = 0; at < pending; at += 8) *to++ = static_cast<std::byte>(word >> (56 - at));
}

#define TGMAP_INTEGERS(Integer)                                                                   \
  template void unpack_integers(byte_view, std::uint64_t, unsigned, std::span<Integer>) noexcept; \
  template void pack_integers(std::span<const Integer>, unsigned, std::span<std::byte>) noexcept;
TGMAP_INTEGERS(std::uint8_t)
TGMAP_INTEGERS(std::uint16_t)
TGMAP_INTEGERS(std::uint32_t)
TGMAP_INTEGERS(std::uint64_t)
#undef TGMAP_INTEGERS

}  // namespace bridge::grib
}  // namespace v0
}  // namespace tgmap
