// SPDX-License-Identifier: Apache-2.0
// Names of parameters in descriptors (§7).
#include <tgmap/enum_names.hpp>

#include "core/text/enum_table.hpp"

namespace tgmap {
inline namespace v0 {

TGMAP_ENUM_NAMES(blosc2_codec, 0, "blosclz", "lz4", "lz4hc", "zlib", "zstd")
TGMAP_ENUM_NAMES(mask_method, 0, "none", "rle", "roaring", "lz4", "zstd", "blosc2")
TGMAP_ENUM_NAMES(sz3_bound, 0, "abs", "rel", "psnr")
TGMAP_ENUM_NAMES(zfp_mode, 0, "fixed_rate", "fixed_precision", "fixed_accuracy")

}  // namespace v0
}  // namespace tgmap
