// SPDX-License-Identifier: Apache-2.0
// szip parameters, and a wrapper of libaec that checks every return value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/error.hpp>

#include "codec/codec_parameters.hpp"

namespace tgmap::codec {

/// Checks the requirements of libaec, and some that libaec does not check. `out` is the number of bytes to decode.
/// Errors: bad_parameter, bad_combination.
failure check_szip(const szip_parameters&, std::uint64_t out) noexcept;

/// Fills `out` from a stream whose first bit starts a reference interval.
/// Errors: codec_failed, decoded_size_mismatch, out_of_memory.
failure decode_szip(const szip_parameters&, std::span<const std::byte> stream, std::span<std::byte> out) noexcept;

/// Returns the decoded bytes of one reference interval.
inline std::uint64_t szip_interval(const szip_parameters& of) noexcept {
  return std::uint64_t{of.rsi} * of.block_size * of.sample_size;
}

// Flags of libaec that the format stores, for builds without libaec, too.

enum szip_flag : std::uint32_t {
  szip_signed = 1,
  szip_3_bytes = 2,       ///< samples of 17 to 24 bits take three bytes, not four
  szip_msb = 4,           ///< bytes of a sample come most significant first
  szip_preprocess = 8,    ///< differences are stored, and a reference sample in each interval
  szip_restricted = 16,   ///< fewer code options; for at most 4 bits a sample
  szip_pad_rsi = 32,      ///< each reference interval starts at a byte
  szip_not_enforce = 64,  ///< block sizes may be any even number
};

/// Flags that lose nothing and that all readers support.
inline constexpr std::uint32_t szip_writable_flags =
    szip_signed | szip_3_bytes | szip_msb | szip_preprocess | szip_not_enforce;

inline constexpr std::uint32_t szip_max_rsi = 4096;
/// libaec buffers a reference interval with four bytes per sample. The limit is four times that of the standard.
inline constexpr std::uint64_t szip_max_interval = std::uint64_t{4096} * 64 * 4;

/// Returns the bytes of one sample; 0 if libaec does not support its number of bits.
constexpr std::size_t szip_sample_size(std::uint64_t bits, std::uint32_t flags) noexcept {
  if (bits == 0 || bits > 32) return 0;
  if (bits <= 16) return bits <= 8 ? 1 : 2;
  return bits <= 24 && (flags & szip_3_bytes) ? 3 : 4;
}

}  // namespace tgmap::codec
