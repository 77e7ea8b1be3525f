// SPDX-License-Identifier: Apache-2.0
// The prefix of the compressions "rle" and "roaring" (§7.10): the number of bits, as 32 big-endian bits.
#pragma once

#include "codec/decompressor.hpp"
#include "codec/failures.hpp"
#include "wire/bytes.hpp"

namespace tgmap::codec {

inline constexpr std::size_t bit_count_bytes = 4;

struct counted_bits {
  std::uint64_t bits = 0;
  std::span<const std::byte> blob;
};

/// Splits stored bytes into bit count and blob. The bits must fill `out` bytes.
/// Errors: codec_failed, decoded_size_mismatch.
inline failure split_bit_count(const compressed_payload& payload, std::size_t out, counted_bits& to) noexcept {
  if (payload.bytes.size() < 4) return codec_failed();
  to = {};
  for (std::size_t i = 0; i < 4; ++i) to.bits = to.bits << 8 | std::to_integer<std::uint64_t>(payload.bytes[i]);
  to.blob = payload.bytes.subspan(4);
  const std::uint64_t bytes = (to.bits + 7) / 8;
  return bytes == out ? failure{} : decoded_size(out, bytes);
}

/// Stores the number of bits in `bytes` bytes. Errors: too_large.
inline failure count_bits(std::uint64_t bytes, std::uint64_t& bits) noexcept {
  constexpr std::uint64_t most = UINT32_MAX / 8;
  if (bytes > most) return {.code = errc::too_large, .expected = most, .found = bytes};
  bits = bytes * 8;
  return {};
}

inline void store_bit_count(std::uint64_t bits, std::span<std::byte> to) noexcept {
  wire::store_be(to.data(), static_cast<std::uint32_t>(bits));
}

}  // namespace tgmap::codec
