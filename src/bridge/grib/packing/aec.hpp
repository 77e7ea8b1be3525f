// SPDX-License-Identifier: Apache-2.0
// Streams of AEC (CCSDS 121.0-B), of integers of any width up to 32 bits. libaec is loaded at the first call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/error.hpp>

#include "bridge/grib/packing/byte_buffer.hpp"
#include "bridge/grib/packing/integers.hpp"

namespace tgmap {
inline namespace v0 {
namespace bridge::grib {

/// Flags of GRIB, numbered as libaec has them. The two that describe memory, 3 bytes (2) and high byte first (4),
/// change no bit of a stream.
enum aec_flag : unsigned {
  aec_signed = 1,
  aec_preprocess = 8,    ///< differences are stored, and a reference sample in each interval
  aec_restricted = 16,   ///< fewer code options; for at most 4 bits a sample
  aec_pad_rsi = 32,      ///< each interval starts at a byte; libaec misreads most of these streams
  aec_not_enforce = 64,  ///< block sizes may be any even number
};

/// Parameters of a stream.
struct aec_parameters {
  unsigned bits = 0;  ///< of a sample, 1 to 32
  std::uint32_t block_size = 0;
  std::uint32_t rsi = 0;  ///< blocks in an interval
  unsigned flags = 0;     ///< those of `aec_flag` that change the stream
};

/// Returns true if this build has libaec, and the library is installed.
bool has_aec() noexcept;

/// Returns the bytes of a decoded sample: 1, 2 or 4.
constexpr unsigned aec_sample_bytes(unsigned bits) noexcept { return container_bytes(bits); }

/// Decodes samples into `out`, in the byte order of this machine. `out` has aec_sample_bytes() for each.
/// Errors: tgmap::errc::codec_absent, codec_failed, decoded_size_mismatch, out_of_memory.
failure decode_aec(byte_view stream, const aec_parameters&, std::span<std::byte> out) noexcept;

/// Encodes samples in the byte order of this machine. Returns the stream. The same samples and parameters give the same
/// bytes as in ecCodes, which calls libaec, too. Lifetime: that of `memory`, until it is used again.
/// Errors: tgmap::errc::codec_absent, codec_failed, out_of_memory.
byte_view encode_aec(byte_view samples, const aec_parameters&, byte_buffer& memory, failure& why) noexcept;

}  // namespace bridge::grib
}  // namespace v0
}  // namespace tgmap
