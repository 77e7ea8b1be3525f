// SPDX-License-Identifier: Apache-2.0
// The payload of an object from the packed values of a field.
#pragma once

#include <vector>

#include "bridge/grib/carry/carry_field.hpp"
#include "bridge/grib/carry/object_layout.hpp"
#include "bridge/grib/carry/stored_sections.hpp"
#include "bridge/grib/packing/masked_values.hpp"
#include "bridge/grib/sections/bitmap.hpp"
#include "bridge/grib/sections/packing.hpp"

namespace tgmap {
inline namespace v0 {
namespace bridge::grib {

/// An `encoded_field` is the payload of a field and what its descriptor has to say.
struct encoded_field {
  object_layout layout{};
  std::vector<std::uint64_t> szip_offsets{};
  byte_view payload{};  ///< borrows the message or the memory
  mask_blob mask{};     ///< borrows the memory
  data_parts parts{};   ///< of the data section, for rebuilding it
  bool has_mask = false;
  bool needs_original = false;  ///< the data section cannot be made from the values again
  bool is_exact = true;
  carry_method method = carry_method::carried;
  carry_reason reason = carry_reason::none;
};

/// A `field_encoder` makes the payload of one field.
/// Lifetime: borrows its arguments.
class field_encoder {
 public:
  field_encoder(const packing& how, const bitmap& bits, carry_memory& memory) noexcept
      : how_(how), bits_(bits), memory_(memory) {}

  /// Makes the payload from packed values. Returns false, with an empty failure, if only a decoder reads them.
  bool encode(encoded_field& out, failure& why);

  /// Makes the payload from decoded values: from integers, if these give exactly the values, else from the numbers.
  void encode_decoded(const decoded_values&, encoded_field& out, failure& why);

 private:
  bool has_all_points() const noexcept { return bits_.values == bits_.points; }
  failure check_values(double most) const noexcept;
  void set_scale(encoded_field& out) const noexcept;
  void encode_constant(double reference, encoded_field& out) const noexcept;
  void encode_simple(encoded_field& out, failure& why);
  bool encode_ccsds(encoded_field& out, failure& why);
  void encode_ieee(encoded_field& out, failure& why);
  void encode_complex(encoded_field& out, failure& why);
  void encode_negative(std::span<const std::int64_t> integers, encoded_field& out, failure& why);
  template <class Integer>
  void encode_szip(std::span<const Integer> integers, unsigned bits, encoded_field& out, failure& why);
  void add_mask(byte_view present, encoded_field& out, failure& why);
  failure check_expansion(std::uint64_t bytes) const noexcept;

  const packing& how_;
  const bitmap& bits_;
  carry_memory& memory_;
};

}  // namespace bridge::grib
}  // namespace v0
}  // namespace tgmap
