// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tgmap/decode/codecs.hpp>

#include "codec/mask_blob.hpp"

namespace tgmap::codec {

/// The mask methods that need a library, by those that this build has; the others are codec_absent.
const mask_library& mask_libraries() noexcept;

/// The compression that a mask method is.
compression compression_of(mask_method) noexcept;

}  // namespace tgmap::codec
