// SPDX-License-Identifier: Apache-2.0
// A hash of the keys that an import wrote, to notice that they were changed since.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <tgmap/write/cbor_value.hpp>

namespace tgmap::bridge::grib {

/// The keys of an object that come from its GRIB sections.
inline constexpr std::string_view sections_key = "grib_sections";
inline constexpr std::string_view key_hash_key = "grib_keys_hash";

/// Returns the XXH3 of 64 bits, big-endian, of the keys `mars`, `name` and `grib` of an object in canonical CBOR.
/// Errors: bad_cbor, cbor_too_deep; out_of_memory.
std::array<std::byte, 8> hash_of_keys(const cbor_view& base, failure& why) noexcept;

}  // namespace tgmap::bridge::grib
