// SPDX-License-Identifier: Apache-2.0
// zfp, told what to do and held to its answer: one dimension of doubles.
#pragma once

#include <zfp.h>
#include <zfp/bitstream.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <tgmap/error.hpp>

#include "codec/codec_parameters.hpp"

namespace tgmap::codec {

struct zfp_closer {
  void operator()(zfp_stream* stream) const noexcept { zfp_stream_close(stream); }
  void operator()(zfp_field* field) const noexcept { zfp_field_free(field); }
  void operator()(bitstream* bits) const noexcept { stream_close(bits); }
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

}  // namespace tgmap::codec
