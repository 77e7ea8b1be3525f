// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <zfp.h>
#include <zfp/bitstream.h>

#include "runtime/loaded_library.hpp"

namespace tgmap::codec {

#define TGMAP_ZFP_FUNCTIONS(F) \
  F(stream_align)              \
  F(stream_close)              \
  F(stream_open)               \
  F(stream_rseek)              \
  F(stream_size)               \
  F(zfp_compress)              \
  F(zfp_decode_block_double_1) \
  F(zfp_field_1d)              \
  F(zfp_field_free)            \
  F(zfp_field_set_pointer)     \
  F(zfp_stream_close)          \
  F(zfp_stream_maximum_size)   \
  F(zfp_stream_open)           \
  F(zfp_stream_rewind)         \
  F(zfp_stream_set_accuracy)   \
  F(zfp_stream_set_bit_stream) \
  F(zfp_stream_set_precision)  \
  F(zfp_stream_set_rate)       \
  F(zfp_version_string)

#ifdef TGMAP_LOADS_ZFP
TGMAP_LOADED_LIBRARY(zfp_library, TGMAP_LOADS_ZFP, TGMAP_ZFP_FUNCTIONS);
#else
TGMAP_LINKED_LIBRARY(zfp_library, TGMAP_ZFP_FUNCTIONS);
#endif

/// The same, where it is known to be there: the tables of codecs name no other.
inline const zfp_library& zfp() noexcept { return *zfp_library::get(); }

}  // namespace tgmap::codec
