// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <roaring/roaring.h>

#include "runtime/loaded_library.hpp"

namespace tgmap::codec {

#define TGMAP_ROARING_FUNCTIONS(F)            \
  F(roaring_bitmap_free)                      \
  F(roaring_bitmap_portable_deserialize_safe) \
  F(roaring_init_iterator)                    \
  F(roaring_read_uint32_iterator)

#ifdef TGMAP_LOADS_ROARING
TGMAP_LOADED_LIBRARY(roaring_library, TGMAP_LOADS_ROARING, TGMAP_ROARING_FUNCTIONS);
#else
TGMAP_LINKED_LIBRARY(roaring_library, TGMAP_ROARING_FUNCTIONS);
#endif

/// The same, where it is known to be there: the tables of codecs name no other.
inline const roaring_library& roaring() noexcept { return *roaring_library::get(); }

}  // namespace tgmap::codec
