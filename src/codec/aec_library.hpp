// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <libaec.h>

#include "runtime/loaded_library.hpp"

namespace tgmap::codec {

#define TGMAP_AEC_FUNCTIONS(F) \
  F(aec_decode)                \
  F(aec_decode_end)            \
  F(aec_decode_init)           \
  F(aec_encode)                \
  F(aec_encode_end)            \
  F(aec_encode_init)

#ifdef TGMAP_LOADS_AEC
TGMAP_LOADED_LIBRARY(aec_library, TGMAP_LOADS_AEC, TGMAP_AEC_FUNCTIONS);
#else
TGMAP_LINKED_LIBRARY(aec_library, TGMAP_AEC_FUNCTIONS);
#endif

/// The same, where it is known to be there: the tables of codecs name no other.
inline const aec_library& aec() noexcept { return *aec_library::get(); }

}  // namespace tgmap::codec
