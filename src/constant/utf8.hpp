// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "constant/json/text_fault.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant {

/// Whether text is well-formed UTF-8. ASCII goes by words.
inline bool is_utf8(std::string_view text) noexcept {
  while (!text.empty()) {
    std::uint64_t word = 0x80;
    if (text.size() >= sizeof word) std::memcpy(&word, text.data(), sizeof word);
    const bool ascii = (word & 0x8080808080808080) == 0;
    const std::size_t length = ascii ? sizeof word : json::utf8_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

}  // namespace constant
}  // namespace v0
}  // namespace tgmap
