// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

#include "wire/descriptor_keys.hpp"

namespace tgmap::encode {

/// Checks that a descriptor key belongs to the library: a key of this or an earlier version of the wire format (§6.1,
/// §7), or one that it never writes. Readers interpret such keys for every pipeline.
inline bool is_library_key(std::string_view key) noexcept {
  // No reader needs these.
  constexpr std::array<std::string_view, 6> others{"zstd_level",      "blosc2_codec",         "blosc2_clevel",
                                                   "sz3_error_bound", "sz3_error_bound_mode", "_reserved_"};
  return wire::key_named(key) != wire::descriptor_key::other || std::ranges::find(others, key) != others.end();
}

}  // namespace tgmap::encode
