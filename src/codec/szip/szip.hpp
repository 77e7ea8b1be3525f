// SPDX-License-Identifier: Apache-2.0
// libaec, told what to do and held to its answer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/error.hpp>

#include "codec/codec_parameters.hpp"

namespace tgmap::codec {

/// What libaec asks of its parameters, and some that it does not but should. `out`: bytes to be decoded.
/// Errors: bad_parameter, bad_combination.
failure check_szip(const szip_parameters&, std::uint64_t out) noexcept;

/// Fills `out` from a stream that begins with a reference interval, at its first bit.
/// Errors: codec_failed, decoded_size, out_of_memory.
failure decode_szip(const szip_parameters&, std::span<const std::byte> stream, std::span<std::byte> out) noexcept;

/// Bytes of decoded samples in one reference interval.
inline std::uint64_t szip_interval(const szip_parameters& of) noexcept {
  return std::uint64_t{of.rsi} * of.block_size * of.sample_size;
}

// The flags of libaec that the format writes down, and what follows from them; here, so that descriptors are understood
// in builds without libaec too.

enum szip_flag : std::uint32_t {
  szip_signed = 1,
  szip_3_bytes = 2,       ///< samples of 17 to 24 bits take three bytes, not four
  szip_msb = 4,           ///< bytes of a sample come most significant first
  szip_preprocess = 8,    ///< differences are stored, and at times a sample itself, the reference
  szip_restricted = 16,   ///< fewer code options; for at most 4 bits a sample
  szip_pad_rsi = 32,      ///< each reference interval begins at a byte
  szip_not_enforce = 64,  ///< block sizes may be any even number
};

/// Those that nothing is lost by, and that all readers can undo.
inline constexpr std::uint32_t szip_allowed =
    szip_signed | szip_3_bytes | szip_msb | szip_preprocess | szip_not_enforce;

inline constexpr std::uint32_t szip_most_blocks = 4096;
/// libaec keeps a reference interval, four bytes a sample. Four times what the standard's block sizes come to.
inline constexpr std::uint64_t szip_most_interval = std::uint64_t{4096} * 64 * 4;

/// Bytes that hold one sample; 0 where libaec takes no such samples.
constexpr std::size_t szip_sample_size(std::uint64_t bits, std::uint32_t flags) noexcept {
  if (bits == 0 || bits > 32) return 0;
  if (bits <= 16) return bits <= 8 ? 1 : 2;
  return bits <= 24 && (flags & szip_3_bytes) ? 3 : 4;
}

}  // namespace tgmap::codec
