// SPDX-License-Identifier: Apache-2.0
// zfp, told what to do and held to its answer: one dimension of doubles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <tgmap/error.hpp>

#include "codec/codec_parameters.hpp"
#include "codec/partial.hpp"
#include "codec/zfp_library.hpp"

namespace tgmap::codec {

struct zfp_closer {
  void operator()(zfp_stream* stream) const noexcept { zfp().zfp_stream_close(stream); }
  void operator()(zfp_field* field) const noexcept { zfp().zfp_field_free(field); }
  void operator()(bitstream* bits) const noexcept { zfp().stream_close(bits); }
};
template <class T>
using zfp_owner = std::unique_ptr<T, zfp_closer>;

/// Bytes of doubles in one block, which is four of them.
inline constexpr std::size_t zfp_block = 4 * sizeof(double);

/// Errors: bad_parameter.
failure set_zfp_mode(zfp_stream&, const zfp_parameters&) noexcept;

/// Blocks of a fixed rate are all of one length, so that it is known beforehand what must be there.
/// Errors: decoded_size.
failure check_zfp_rate(const zfp_stream&, std::uint64_t stored_size, std::uint64_t out) noexcept;

/// Bits of a stream, from bit `begin` of the stored bytes up to byte `end`.
struct zfp_bits {
  const stored_bytes& from;
  std::uint64_t begin = 0, end = 0;
};

/// Decompresses a row of blocks, at any address, by the library's own calls for one block. The stored bytes are copied
/// a few KiB at a time, for the library reads beyond their end, and those of a file may change. `consumed`: bytes up to
/// the end of the last word that was read, beyond `end` too, behind which all bits count as 0.
/// Errors: codec_failed, out_of_memory, those of stored_bytes::read.
failure decode_zfp_blocks(zfp_stream&, const zfp_bits&, std::span<std::byte> out, std::uint64_t& consumed) noexcept;

}  // namespace tgmap::codec
