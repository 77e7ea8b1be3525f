// SPDX-License-Identifier: Apache-2.0
// From an object to the sections of its GRIB field again.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <tgmap/cbor_view.hpp>
#include <vector>

#include "bridge/grib/carry/object_layout.hpp"
#include "bridge/grib/carry/stored_sections.hpp"
#include "bridge/grib/packing/byte_buffer.hpp"

namespace tgmap {
inline namespace v0 {
namespace bridge::grib {

/// A `rebuilt_source` is an object from which GRIB is rebuilt.
/// Lifetime: borrows all its parts.
struct rebuilt_source {
  cbor_view descriptor{};
  byte_view payload_and_masks{};
  cbor_view base{};  ///< the keys of the object

  /// Elements and mask, for objects whose pipeline is another one than the import wrote: see needs_values(). A set bit
  /// of `missing` marks an element without a value; empty: all have one.
  std::span<const double> values{};
  byte_view missing{};
};

/// Returns true if rebuild() needs `values` and `missing` of an object, because it is compressed, filtered or masked in
/// another way than the import does.
bool needs_values(const cbor_view& descriptor) noexcept;

/// A `rebuilt_field` is the sections of a field, in pieces that follow one another.
/// Lifetime: the pieces borrow the object and the rebuilder.
struct rebuilt_field {
  std::vector<byte_view> sections{};  ///< from section 0 to that of the data
  unsigned edition = 0;
  std::size_t number = 0, fields = 1;          ///< of the field, of its message
  unsigned first_section = 0;                  ///< that its message has for this field alone
  std::vector<std::size_t> section_numbers{};  ///< of each piece

  /// Of section 6 of GRIB 2: 0 for a bitmap of its own, 254 for that of an earlier field, 255 for none.
  unsigned bitmap_indicator = 255;
  byte_view present{};  ///< a set bit for each point with a value; empty: all have one
};

/// A `field_rebuilder` makes sections from an object. Its memory is used again for the next one.
class field_rebuilder {
 public:
  /// Rebuilds all sections of a field, also those that an earlier field of its message has given.
  /// Complexity: linear in the bytes; payloads that are section 7 are not copied.
  /// Errors: no_sections, bad_sections, packing_changed, values_changed, shape_changed; tgmap::errc::codec_absent,
  /// codec_failed, out_of_memory.
  void rebuild(const rebuilt_source&, rebuilt_field& out, failure& why);

  /// Does the same for a message of this field alone: a bitmap of an earlier field becomes its own.
  void rebuild_alone(const rebuilt_source&, rebuilt_field& out, failure& why);

 private:
  struct work;
  void rebuild(const rebuilt_source&, bool is_alone, rebuilt_field& out, failure& why);
  void read_mask(const rebuilt_source&, work&, failure& why);
  void rebuild_bitmap(work&, rebuilt_field& out, failure& why);
  void rebuild_data(const rebuilt_source&, work&, rebuilt_field& out, failure& why);
  byte_view pack_values(const rebuilt_source&, work&, failure& why);
  byte_view pack_complex(const rebuilt_source&, work&, failure& why);
  byte_view gather_ieee(const rebuilt_source&, work&, failure& why);
  template <class Integer>
  std::span<Integer> load_integers(const rebuilt_source&, const work&, failure& why);

  byte_buffer present_{}, bitmap_{}, integers_{}, values_{}, packed_{}, section_{};
  std::array<std::byte, 6> bitmap_header_{};
  std::array<std::byte, 5> data_header_{};
  std::vector<std::byte> zeros_{}, tail_zeros_{};
};

}  // namespace bridge::grib
}  // namespace v0
}  // namespace tgmap
