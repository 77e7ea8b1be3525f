// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <lz4frame.h>

#include "runtime/loaded_library.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant {

#define TGMAP_LZ4_FRAME_FUNCTIONS(F) \
  F(LZ4F_createDecompressionContext) \
  F(LZ4F_decompress)                 \
  F(LZ4F_freeDecompressionContext)   \
  F(LZ4F_isError)

#ifdef TGMAP_LOADS_LZ4
TGMAP_LOADED_LIBRARY(lz4_library, TGMAP_LOADS_LZ4, TGMAP_LZ4_FRAME_FUNCTIONS);
#else
TGMAP_LINKED_LIBRARY(lz4_library, TGMAP_LZ4_FRAME_FUNCTIONS);
#endif

}  // namespace constant
}  // namespace v0
}  // namespace tgmap
