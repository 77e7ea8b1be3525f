// SPDX-License-Identifier: Apache-2.0
// Compiled with -ffp-contract=off: a fused multiplication and addition rounds once, and writers rounded twice.
#include "codec/simple_packing.hpp"

#include <algorithm>

#include "wire/bytes.hpp"

namespace tgmap::codec {

namespace {

/// `base` to a whole power, as __powidf2 of compiler-rt multiplies it; other orders differ in the last bit.
double whole_power(double base, std::int64_t exponent) noexcept {
  double power = 1;
  for (std::int64_t left = exponent;;) {
    if (left % 2 != 0) power *= base;
    left /= 2;
    if (left == 0) return exponent < 0 ? 1 / power : power;
    base *= base;
  }
}

/// The `bits` bits, at least one, that begin at this bit. Bytes beyond the end count as zero.
std::uint64_t bits_at(std::span<const std::byte> packed, std::uint64_t bit, unsigned bits) noexcept {
  const auto byte = static_cast<std::size_t>(bit / 8);
  const auto skipped = static_cast<unsigned>(bit % 8);
  std::uint64_t word = 0;
  if (wire::fits(byte, 8, packed.size())) {
    word = wire::load_be<std::uint64_t>(packed, byte);
  } else {
    for (std::size_t at = byte; at < byte + 8; ++at)
      word = word << 8 | (at < packed.size() ? std::to_integer<std::uint64_t>(packed[at]) : 0);
  }
  word <<= skipped;
  if (skipped + bits > 64) word |= std::to_integer<std::uint64_t>(packed[byte + 8]) >> (8 - skipped);
  return word >> (64 - bits);
}

}  // namespace

std::optional<std::uint64_t> packed_size(std::uint64_t elements, unsigned bits) noexcept {
  std::uint64_t all;
  if (__builtin_mul_overflow(elements, std::uint64_t{bits}, &all)) return std::nullopt;
  return all / 8 + (all % 8 != 0 ? 1 : 0);
}

double scale_of(std::int32_t binary, std::int32_t decimal) noexcept {
  return whole_power(2, binary) * whole_power(10, -std::int64_t{decimal});
}

bool holds_packed(std::span<const std::byte> packed, unsigned bits, std::uint64_t first, std::uint64_t count) noexcept {
  std::uint64_t end;
  if (bits > most_packed_bits || __builtin_add_overflow(first, count, &end)) return false;
  const auto needed = packed_size(end, bits);
  return needed && *needed <= packed.size();
}

bool unpack_plain(std::span<const std::byte> packed, unsigned bits, double reference, double scale, std::uint64_t first,
                  std::span<double> out) noexcept {
  if (!holds_packed(packed, bits, first, out.size())) return false;
  if (bits == 0) {
    std::fill(out.begin(), out.end(), reference);
    return true;
  }
  for (std::size_t i = 0; i < out.size(); ++i) {
    const double scaled = scale * static_cast<double>(bits_at(packed, (first + i) * bits, bits));
    out[i] = reference + scaled;
  }
  return true;
}

}  // namespace tgmap::codec
