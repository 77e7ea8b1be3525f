// SPDX-License-Identifier: Apache-2.0
// The sections of a field without its values, as keys of an object:
//
//   grib_sections  GRIB 2: sections 0 to 5. GRIB 1: sections 0 to 2, the first 6 bytes of the bitmap section, and the
//                  header of the data section.
//   grib_rest      what else rebuilding needs; most fields need nothing. A list of parts: a byte that says which, a
//                  length of four bytes, and the bytes.
//   grib_data      the data section after its header, if it cannot be made again from the values.
#pragma once

#include <cstdint>
#include <tgmap/write/cbor_value.hpp>
#include <vector>

#include "bridge/grib/sections/bitmap.hpp"
#include "bridge/grib/sections/field.hpp"
#include "bridge/grib/sections/packing.hpp"

namespace tgmap {
inline namespace v0 {
namespace bridge::grib {

/// A `data_parts` says which bytes of a data section are not made from values.
struct data_parts {
  byte_view head{};               ///< after the header, before the packed values
  byte_view tail{};               ///< after the packed values
  std::uint64_t packed_size = 0;  ///< bytes between them
  bool is_bitmap_kept = false;    ///< the mask of the object does not say what the bitmap was
};

/// Returns the bytes of the header of a data section.
std::size_t data_header_bytes(unsigned edition, packing_kind) noexcept;

/// Returns the bytes of `grib_sections` of a field.
/// Errors: out_of_memory.
std::vector<std::byte> sections_without_values(const field&, const packing&, failure& why) noexcept;

/// Returns the bytes of `grib_rest`: none if everything else follows from the sections and the object. `has_mask`: the
/// object has a mask, made from the bitmap; otherwise all points have a value.
/// Errors: out_of_memory.
std::vector<std::byte> rest_of_sections(const field&, const packing&, const bitmap&, const data_parts&, bool has_mask,
                                        failure& why) noexcept;

/// A `stored_sections` is what the keys of an object say of its GRIB message.
/// Lifetime: borrows the keys.
struct stored_sections {
  field from{};              ///< its sections, without those of bitmap and data; of GRIB 1 only their headers
  byte_view bitmap_part{};   ///< header of the bitmap section, then its bytes after those of whole eights of points
  byte_view whole_bitmap{};  ///< the whole bitmap section, if the mask does not say what it was
  byte_view head{}, tail{};  ///< as in data_parts
  std::uint64_t head_packed_size = 0;  ///< with `head`: bytes of packed values after it
  bool has_tail = false;
  byte_view data{};  ///< the data section after its header, if `has_data`
  bool has_data = false;
};

/// Reads the keys of an object.
/// Errors: no_sections, bad_sections.
stored_sections read_stored_sections(const cbor_view& base, failure& why) noexcept;

}  // namespace bridge::grib
}  // namespace v0
}  // namespace tgmap
