// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace tgmap::encode {

/// What the library writes into descriptors, of this version of the wire format or of an earlier one (§6.1, §7), or
/// keeps out of them: whoever reads takes them for its own, whichever pipeline an object has.
inline constexpr std::array<std::string_view, 34> own_keys{
    "type",
    "ndim",
    "shape",
    "strides",
    "dtype",
    "byte_order",
    "encoding",
    "filter",
    "compression",
    "masks",
    "hash",
    "sp_reference_value",
    "sp_binary_scale_factor",
    "sp_decimal_scale_factor",
    "sp_bits_per_value",
    "reference_value",
    "binary_scale_factor",
    "decimal_scale_factor",
    "bits_per_value",
    "shuffle_element_size",
    "szip_rsi",
    "szip_block_size",
    "szip_flags",
    "szip_block_offsets",
    "zstd_level",
    "blosc2_codec",
    "blosc2_clevel",
    "zfp_mode",
    "zfp_rate",
    "zfp_precision",
    "zfp_tolerance",
    "sz3_error_bound",
    "sz3_error_bound_mode",
    "_reserved_",
};

inline bool is_own_key(std::string_view key) noexcept {
  return std::find(own_keys.begin(), own_keys.end(), key) != own_keys.end();
}

}  // namespace tgmap::encode
