// SPDX-License-Identifier: Apache-2.0
// libaec, told what to do and held to its answer.
#pragma once

#include <cstddef>
#include <span>
#include <tgmap/error.hpp>

#include "codec/codec_parameters.hpp"

struct aec_stream;

namespace tgmap::codec {

/// What libaec asks of its parameters, and some that it does not but should. `out`: bytes to be decoded.
/// Errors: bad_parameter, bad_combination.
failure check_szip(const szip_parameters&, std::uint64_t out) noexcept;

void set_szip_parameters(aec_stream&, const szip_parameters&) noexcept;

/// Fills `out` from a stream that begins with a reference interval, at its first bit.
/// Errors: codec_failed, decoded_size, out_of_memory.
failure decode_szip(const szip_parameters&, std::span<const std::byte> stream, std::span<std::byte> out) noexcept;

/// Bytes of decoded samples in one reference interval.
inline std::uint64_t szip_interval(const szip_parameters& of) noexcept {
  return std::uint64_t{of.rsi} * of.block_size * of.sample_size;
}

}  // namespace tgmap::codec
