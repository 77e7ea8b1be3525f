// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <zstd.h>
#include <zstd_errors.h>

#include "runtime/loaded_library.hpp"

namespace tgmap::codec {

#define TGMAP_ZSTD_FUNCTIONS(F)   \
  F(ZSTD_CCtx_reset)              \
  F(ZSTD_CCtx_setParameter)       \
  F(ZSTD_compress)                \
  F(ZSTD_compress2)               \
  F(ZSTD_compressBound)           \
  F(ZSTD_compressStream2)         \
  F(ZSTD_createCCtx)              \
  F(ZSTD_createDCtx)              \
  F(ZSTD_decompress)              \
  F(ZSTD_decompressDCtx)          \
  F(ZSTD_findFrameCompressedSize) \
  F(ZSTD_freeCCtx)                \
  F(ZSTD_freeDCtx)                \
  F(ZSTD_getErrorCode)            \
  F(ZSTD_isError)                 \
  F(ZSTD_sizeof_CCtx)             \
  F(ZSTD_versionString)

#ifdef TGMAP_LOADS_ZSTD
TGMAP_LOADED_LIBRARY(zstd_library, TGMAP_LOADS_ZSTD, TGMAP_ZSTD_FUNCTIONS);
#else
TGMAP_LINKED_LIBRARY(zstd_library, TGMAP_ZSTD_FUNCTIONS);
#endif

/// Returns the library, which must be present: only codecs whose library is present are called.
inline const zstd_library& zstd() noexcept { return *zstd_library::get(); }

}  // namespace tgmap::codec
