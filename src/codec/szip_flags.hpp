// SPDX-License-Identifier: Apache-2.0
// The flags of libaec that the format writes down, and what follows from them; here, so that descriptors are understood
// in builds without libaec too.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tgmap::codec {

enum szip_flag : std::uint32_t {
  szip_3_bytes = 2,       ///< samples of 17 to 24 bits take three bytes, not four
  szip_msb = 4,           ///< bytes of a sample come most significant first
  szip_restricted = 16,   ///< fewer code options; for at most 4 bits a sample
  szip_pad_rsi = 32,      ///< each reference interval begins at a byte
  szip_not_enforce = 64,  ///< block sizes may be any even number
};

/// Bytes that hold one sample; 0 where libaec takes no such samples.
constexpr std::size_t szip_sample_size(std::uint64_t bits, std::uint32_t flags) noexcept {
  if (bits == 0 || bits > 32) return 0;
  if (bits <= 16) return bits <= 8 ? 1 : 2;
  return bits <= 24 && (flags & szip_3_bytes) ? 3 : 4;
}

}  // namespace tgmap::codec
