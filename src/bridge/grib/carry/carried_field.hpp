// SPDX-License-Identifier: Apache-2.0
// A field as an object of an archive, and what was done to it.
#pragma once

#include <cstdint>
#include <string_view>
#include <tgmap/bridge/errc.hpp>
#include <tgmap/write/new_message.hpp>

#include "bridge/grib/packing/byte_buffer.hpp"

namespace tgmap {
inline namespace v0 {
namespace bridge::grib {

/// A way in which values of a field become those of an object.
enum class carry_method : std::uint8_t {
  carried,    ///< the packed bytes are the payload
  reencoded,  ///< the same integers, encoded again
  decoded,    ///< floating point numbers
};

/// Why the packed bytes are not the payload.
enum class carry_reason : std::uint8_t {
  none,               ///< they are
  sample_width,       ///< szip takes integers of 8, 16, 24 and 32 bits only
  missing_points,     ///< points without a value have no integer in GRIB
  groups,             ///< complex packing
  negative_integers,  ///< simple_packing has none
  decoder,            ///< only a decoder reads that packing
};

std::string_view to_string_view(carry_method) noexcept;
std::string_view to_string_view(carry_reason) noexcept;

/// A `carried_field` is a field as an object that can be written.
/// Lifetime: `object.payload_and_masks` borrows the message of the field, or `memory`. Moving it keeps both valid.
struct carried_field {
  stored_object object{};               ///< its `base` is empty
  cbor_value base = cbor_value::map();  ///< `grib_sections`, and where needed `grib_rest` and `grib_data`
  carry_method method = carry_method::carried;
  carry_reason reason = carry_reason::none;
  bool is_exact = true;       ///< float64 values equal those of ecCodes bit for bit
  bool has_original = false;  ///< `grib_data` has the data section, because it cannot be made from the values again
  byte_buffer memory{};
};

}  // namespace bridge::grib
}  // namespace v0
}  // namespace tgmap
