// SPDX-License-Identifier: Apache-2.0
// Unsigned integers of any width next to each other, the high bit first, as GRIB and simple_packing store them.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "bridge/grib/sections/field.hpp"

namespace tgmap {
inline namespace v0 {
namespace bridge::grib {

/// Returns the eight bytes from `from` on as one number.
inline std::uint64_t load_big_endian(const std::byte* from) noexcept {
  std::uint64_t out;
  std::memcpy(&out, from, sizeof out);
  return std::endian::native == std::endian::little ? __builtin_bswap64(out) : out;
}

inline void store_big_endian(std::byte* to, std::uint64_t number) noexcept {
  if (std::endian::native == std::endian::little) number = __builtin_bswap64(number);
  std::memcpy(to, &number, sizeof number);
}

/// Returns the bytes that `count` integers of `bits` bits take; UINT64_MAX if that does not fit 64 bits.
constexpr std::uint64_t packed_bytes(std::uint64_t count, unsigned bits) noexcept {
  if (bits == 0) return 0;
  if (count > (UINT64_MAX - 7) / bits) return UINT64_MAX;
  return (count * bits + 7) / 8;
}

/// Returns the bytes of the smallest type of 1, 2, 4 or 8 bytes that holds integers of `bits` bits.
constexpr unsigned container_bytes(unsigned bits) noexcept {
  if (bits <= 16) return bits <= 8 ? 1 : 2;
  return bits <= 32 ? 4 : 8;
}

/// Calls `use` with a zero of the type of `bytes` bytes, which is 1, 2, 4 or 8.
template <class Use>
auto with_container(unsigned bytes, Use&& use) {
  switch (bytes) {
    case 1: return use(std::uint8_t{});
    case 2: return use(std::uint16_t{});
    case 4: return use(std::uint32_t{});
    default: return use(std::uint64_t{});
  }
}

/// Reads `out.size()` integers of `bits` bits, 0 to 64, from bit `first` on. Bits past the end of `packed` read as
/// zeros. Integer: std::uint8_t, 16, 32 or 64, that holds `bits` bits.
/// Complexity: linear in `out`.
template <class Integer>
void unpack_integers(byte_view packed, std::uint64_t first, unsigned bits, std::span<Integer> out) noexcept;

/// Writes integers, which are below 2^bits, into `out`, which has packed_bytes() bytes. The last bits are 0.
template <class Integer>
void pack_integers(std::span<const Integer> integers, unsigned bits, std::span<std::byte> out) noexcept;

/// A `bit_writer` appends integers of any width to memory that has room for all of them and for 8 bytes more.
class bit_writer {
 public:
  explicit bit_writer(std::byte* to) noexcept : to_(to) {}

  /// Appends the lowest `bits` bits of `number`; `bits` is at most 56.
  void put(std::uint64_t number, unsigned bits) noexcept {
    if (bits == 0) return;
    word_ |= (number & ((std::uint64_t{1} << bits) - 1)) << (64 - bits) >> pending_;
    pending_ += bits;
    store_big_endian(to_, word_);
    const unsigned whole = pending_ / 8;
    to_ += whole;
    word_ = whole == 8 ? 0 : word_ << whole * 8;
    pending_ %= 8;
  }

 private:
  std::byte* to_;
  std::uint64_t word_ = 0;  // its highest `pending_` bits wait for the rest of their byte
  unsigned pending_ = 0;    // below 8
};

}  // namespace bridge::grib
}  // namespace v0
}  // namespace tgmap
