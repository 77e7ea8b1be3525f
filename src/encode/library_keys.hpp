// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

#include "wire/descriptor_keys.hpp"

namespace tgmap::encode {

/// Checks if the library writes a key into descriptors, of this version of the wire format or of an earlier one (§6.1,
/// §7), or keeps it out of them: whoever reads takes it for its own, whichever pipeline an object has.
inline bool is_library_key(std::string_view key) noexcept {
  // Written for people, or kept out: no reader needs them.
  constexpr std::array<std::string_view, 6> others{"zstd_level",      "blosc2_codec",         "blosc2_clevel",
                                                   "sz3_error_bound", "sz3_error_bound_mode", "_reserved_"};
  return wire::key_named(key) != wire::descriptor_key::other || std::ranges::find(others, key) != others.end();
}

}  // namespace tgmap::encode
