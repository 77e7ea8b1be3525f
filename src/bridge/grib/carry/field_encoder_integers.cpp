// SPDX-License-Identifier: Apache-2.0
// Integers that are encoded again, and those of decoded values.
#include <algorithm>
#include <bit>
#include <cmath>
#include <tgmap/write/szip_offsets.hpp>

#include "bridge/grib/carry/field_encoder.hpp"
#include "bridge/grib/packing/aec.hpp"

namespace tgmap {
inline namespace v0 {
namespace bridge::grib {

template <class Integer>
void field_encoder::encode_szip(std::span<const Integer> integers, unsigned bits, encoded_field& out, failure& why) {
  out.method = carry_method::reencoded;
  if (!has_aec()) {
    const auto packed = memory_.stream.take(packed_bytes(integers.size(), bits), why);
    if (why) return;
    pack_integers(integers, bits, packed);
    out.payload = packed;
    out.layout.bits = bits;
    return;
  }
  const szip_options options = how_.kind == packing_kind::ccsds
                                   ? szip_options{.rsi = how_.ccsds.reference_sample_interval,
                                                  .block_size = how_.ccsds.block_size,
                                                  .flags = aec_preprocess}
                                   : szip_options{};
  const unsigned stored_bits = (bits + 7) / 8 * 8;
  out.payload =
      encode_aec(std::as_bytes(integers),
                 {.bits = stored_bits, .block_size = options.block_size, .rsi = options.rsi, .flags = options.flags},
                 memory_.stream, why);
  if (!why) out.szip_offsets = find_szip_offsets(out.payload, integers.size(), stored_bits, options, why);
  out.layout.bits = stored_bits;
  out.layout.is_szip = true;
  out.layout.szip_rsi = options.rsi;
  out.layout.szip_block_size = options.block_size;
  out.layout.szip_flags = options.flags;
}

void field_encoder::encode_decoded(const decoded_values& from, encoded_field& out, failure& why) {
  out = {};
  out.needs_original = true;
  out.reason = carry_reason::decoder;
  out.method = carry_method::decoded;
  const bool has_missing = !from.present.empty();
  if (from.values.size() != bits_.points || (has_missing && from.present.size() != packed_bytes(bits_.points, 1))) {
    why = {.code = errc::value_count, .expected = bits_.points, .found = from.values.size()};
    return;
  }
  why = {};
  out.parts.is_bitmap_kept = bits_.present && !(has_missing && std::equal(from.present.begin(), from.present.end(),
                                                                          bits_.bits.begin(), bits_.bits.end()));
  if (has_missing) add_mask(from.present, out, why);
  if (why) return;
  const auto is_present = [&](std::size_t i) {
    return !has_missing || (std::to_integer<unsigned>(from.present[i / 8]) & (0x80U >> i % 8)) != 0;
  };
  // The integers are those of GRIB's formula, if it gives exactly the values.
  const bool has_formula =
      how_.kind == packing_kind::jpeg || how_.kind == packing_kind::png || how_.kind == packing_kind::second_order;
  const double scale = std::ldexp(1.0, how_.binary_scale), factor = decimal_factor(how_.decimal_scale);
  std::span<std::uint32_t> integers;
  if (has_formula) integers = memory_.integers.take_integers<std::uint32_t>(bits_.points, why);
  if (why) return;
  std::uint32_t before = 0, most = 0;
  bool is_formula = has_formula;
  for (std::size_t i = 0; is_formula && i < from.values.size(); ++i) {
    if (is_present(i)) {
      const double value = from.values[i], integer = std::nearbyint((value / factor - how_.reference) / scale);
      const double product = integer * scale;
      is_formula = integer >= 0 && integer <= UINT32_MAX && (product + how_.reference) * factor == value;
      if (is_formula) before = static_cast<std::uint32_t>(integer);
      most = std::max(most, before);
    }
    integers[i] = before;
  }
  if (is_formula) {
    set_scale(out);
    const auto bits = static_cast<unsigned>(std::bit_width(most));
    if (bits == 0) return encode_constant(out.layout.reference, out);
    return with_container(container_bytes(bits), [&]<class Integer>(Integer) {
      const auto narrow = memory_.samples.take_integers<Integer>(bits_.points, why);
      if (why) return;
      std::transform(integers.begin(), integers.end(), narrow.begin(),
                     [](std::uint32_t each) { return static_cast<Integer>(each); });
      encode_szip(std::span<const Integer>(narrow), bits, out, why);
    });
  }
  out.layout = {.is_packed = false, .element = dtype::float64};
  const auto values = memory_.samples.take_integers<double>(bits_.points, why);
  if (why) return;
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = is_present(i) ? from.values[i] : 0.0;
  out.payload = std::as_bytes(values);
}

template void field_encoder::encode_szip(std::span<const std::uint8_t>, unsigned, encoded_field&, failure&);
template void field_encoder::encode_szip(std::span<const std::uint16_t>, unsigned, encoded_field&, failure&);
template void field_encoder::encode_szip(std::span<const std::uint32_t>, unsigned, encoded_field&, failure&);
template void field_encoder::encode_szip(std::span<const std::uint64_t>, unsigned, encoded_field&, failure&);

}  // namespace bridge::grib
}  // namespace v0
}  // namespace tgmap
