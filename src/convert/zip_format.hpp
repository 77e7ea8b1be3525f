// SPDX-License-Identifier: Apache-2.0
// Constants of ZIP archives (APPNOTE 6.3.3).
#pragma once

#include <cstddef>
#include <cstdint>

namespace tgmap::convert::zip {

inline constexpr std::uint32_t local_signature = 0x04034b50, central_signature = 0x02014b50, end_signature = 0x06054b50,
                               end_64_signature = 0x06064b50, locator_signature = 0x07064b50;

// Bytes of the records without names, extra fields and comments.
inline constexpr std::size_t local_size = 30, central_size = 46, end_size = 22, end_64_size = 56, locator_size = 20;

// These values in a field say that the actual value is in a 64-bit record.
inline constexpr std::uint64_t max_16 = 0xffff, max_32 = 0xffffffff;
inline constexpr std::uint16_t extra_64 = 1;  // kind of the extra field with 64-bit values

inline constexpr std::uint16_t method_stored = 0, method_deflated = 8;
inline constexpr std::uint16_t flag_encrypted = 1 << 0, flag_patch = 1 << 5, flag_masked_headers = 1 << 13;
inline constexpr std::uint16_t flag_utf8_names = 1 << 11;

}  // namespace tgmap::convert::zip
