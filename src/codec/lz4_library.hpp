// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <lz4.h>

#include "runtime/loaded_library.hpp"

namespace tgmap::codec {

#define TGMAP_LZ4_FUNCTIONS(F)     \
  F(LZ4_compressBound)             \
  F(LZ4_compress_default)          \
  F(LZ4_decompress_safe_usingDict) \
  F(LZ4_versionString)

#ifdef TGMAP_LOADS_LZ4
TGMAP_LOADED_LIBRARY(lz4_library, TGMAP_LOADS_LZ4, TGMAP_LZ4_FUNCTIONS);
#else
TGMAP_LINKED_LIBRARY(lz4_library, TGMAP_LZ4_FUNCTIONS);
#endif

/// The same, where it is known to be there: the tables of codecs name no other.
inline const lz4_library& lz4() noexcept { return *lz4_library::get(); }

}  // namespace tgmap::codec
