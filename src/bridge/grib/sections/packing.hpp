// SPDX-License-Identifier: Apache-2.0
// The packing of a field: section 5 of GRIB 2, the header of section 4 of GRIB 1.
#pragma once

#include "bridge/grib/sections/bitmap.hpp"
#include "bridge/grib/sections/field.hpp"

namespace tgmap::bridge::grib {

/// A `packing_kind` is a way to store values. Only ecCodes decodes `second_order` and those after it.
enum class packing_kind {
  simple,           ///< integers of one width: GRIB 2 template 0; `bits` 0: all values are the reference value
  ieee,             ///< floating point numbers of 32 or 64 bits: template 4
  ccsds,            ///< integers compressed by AEC: template 42; `bits` 0: all values are the reference value
  complex,          ///< integers in groups: template 2
  complex_spatial,  ///< their differences of order 1 or 2: template 3
  second_order,     ///< of GRIB 1, and templates 50001 and 50002
  jpeg,             ///< templates 40 and 40000
  png,              ///< templates 41 and 40010
  spectral,         ///< templates 50, 51 and 53; spherical harmonics of GRIB 1
  other,            ///< any other
};

/// Parameters of `packing_kind::ccsds`.
struct ccsds_parameters {
  std::uint8_t flags = 0;                  ///< as GRIB and libaec number them
  unsigned block_size = 0;                 ///< 8, 16, 32 or 64
  unsigned reference_sample_interval = 0;  ///< blocks, 1 to 4096
};

/// Parameters of `packing_kind::complex` and `complex_spatial`.
struct complex_parameters {
  unsigned splitting_method = 0;
  unsigned missing_value_management = 0;  ///< 0 none, 1 primary, 2 primary and secondary
  std::uint32_t primary_missing = 0;      ///< the substitute as it is stored, float32 or integer
  std::uint32_t secondary_missing = 0;
  std::uint32_t groups = 0;      ///< 0: all values are the reference value, and there are no data
  unsigned width_reference = 0;  ///< of group widths
  unsigned width_bits = 0;       ///< of a group width in the data
  std::uint32_t length_reference = 0;
  unsigned length_increment = 0;
  std::uint32_t last_length = 0;
  unsigned length_bits = 0;
  unsigned order = 0;         ///< of spatial differencing: 0 none, 1 or 2
  unsigned extra_octets = 0;  ///< octets of each number before the groups
};

/// A `packing` says how the values of a field are stored. Its numbers were checked against the bytes of the field.
/// Lifetime: borrows the message.
struct packing {
  packing_kind kind = packing_kind::other;
  /// GRIB 2: the template of section 5. GRIB 1: the flags of section 4, with those of its octet 14 in the upper byte.
  std::uint16_t template_number = 0;
  double reference = 0;              ///< R, finite; of GRIB 1 an IBM float, which a double holds exactly
  std::int32_t binary_scale = 0;     ///< E
  std::int32_t decimal_scale = 0;    ///< D
  unsigned bits = 0;                 ///< of an integer, at most 64; of `ieee` 32 or 64
  bool values_are_integers = false;  ///< the original values were integers
  std::uint64_t values = 0;          ///< in the data section, without missing ones of a bitmap
  byte_view
      data{};  ///< packed bytes of the data section: without headers, and where their number is known without padding
  byte_view padding{};  ///< bytes of the section after `data`
  ccsds_parameters ccsds{};
  complex_parameters groups{};
};

/// Returns the packing of a field.
/// Simple, ieee: `data` has exactly the bytes that `values` need. `values` is what grid and bitmap need.
/// Complexity: linear in the bytes of the bitmap.
/// Errors: section_too_short, data_too_short, value_count, bad_width, bad_scale, bad_parameter, and those of
/// read_bitmap.
packing read_packing(const field&, failure& why) noexcept;

/// Does the same, with the bitmap that read_bitmap returned for this field.
packing read_packing(const field&, const bitmap&, failure& why) noexcept;

}  // namespace tgmap::bridge::grib
