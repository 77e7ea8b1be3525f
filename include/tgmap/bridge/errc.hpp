// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <system_error>
#include <tgmap/error.hpp>
#include <type_traits>

namespace tgmap {
inline namespace v0 {
namespace bridge {

/// An `errc` is an error of the conversion from and to other formats.
///
/// The values are part of the ABI and are never reused. docs/errors.md describes each error and its next step.
/// The calls of this component also return `tgmap::errc` and errors of the operating system. `expected`, `found` and
/// `offset` below are members of `failure`; `offset` counts from the start of the GRIB input.
enum class errc : int {
  // GRIB: messages and sections
  message_truncated = 1,  ///< the input ends within a message: expected = bytes of the message, found = bytes left
  no_end_marker,          ///< "7777" is not at the end that the message states: expected = bytes of the message
  message_too_large,      ///< expected = max, found = bytes of the message
  section_too_long,       ///< a section exceeds its message: expected = bytes left, found = its length
  section_too_short,      ///< a section is shorter than its contents: expected = bytes needed, found = its length
  section_order,          ///< expected = number of a section that may come here, found = number of the section
  unclaimed_bytes,        ///< bytes of a message belong to no section: found = number of bytes
  bad_indicator,          ///< "GRIB" and an edition, and lengths that no message has: found = the stated bytes

  // GRIB: data
  data_too_short = 20,  ///< expected = bytes that the values need, found = bytes of the data section
  value_count,          ///< numbers of values differ: expected = by the grid and bitmap, found = by the data
  bad_width,            ///< an impossible number of bits of a value: expected = max, found = bits
  bad_scale,            ///< reference value and scale factors give no finite values
  bad_parameter,        ///< an impossible parameter of the packing, named by `argument`: found = its value

  // GRIB: bitmap and grid
  bitmap_length = 40,  ///< expected = points of the grid, found = bits
  no_bitmap,           ///< a field uses the bitmap of an earlier field, and no earlier field has one
  predefined_bitmap,   ///< a bitmap that a centre has defined elsewhere: found = its number
  grid_points,         ///< rows and columns do not give the points: expected = points, found = product or sum

  // GRIB: from packed values to objects, and back
  padded_stream = 60,  ///< ccsds packing whose intervals are padded (flag 32): libaec would read wrong values
  expansion_limit,  ///< a few bytes that stand for too many values: expected = max bytes, found = bytes of the values
  no_sections,      ///< the object has no `grib_sections`, so that GRIB cannot be rebuilt from it
  bad_sections,     ///< `grib_sections` or `grib_rest` is not what this library wrote
  packing_changed,  ///< the object is not packed as its `grib_sections` say: `argument` names what differs
  values_changed,   ///< a value that the packing of `grib_sections` does not have: found = number of the element
  shape_changed,    ///< expected = points by `grib_sections`, found = elements of the object
  not_identical,    ///< the rebuilt message differs from the original: found = offset of the first byte

  // GRIB: ecCodes
  eccodes_absent = 80,  ///< ecCodes is needed and is not there
  eccodes_failed,       ///< ecCodes cannot read or decode a field: found = its error number without the sign
};

/// Returns the category of these errors.
TGMAP_API const std::error_category& category() noexcept;
/// Returns the error as a `std::error_code`; an `errc` converts implicitly.
TGMAP_API std::error_code make_error_code(errc) noexcept;
/// Returns the name of the enumerator, such as "section_too_long"; `--json` prints it.
TGMAP_API std::string_view to_string_view(errc) noexcept;

}  // namespace bridge
}  // namespace v0
}  // namespace tgmap

template <>
struct std::is_error_code_enum<tgmap::bridge::errc> : std::true_type {};
