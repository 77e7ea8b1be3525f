// SPDX-License-Identifier: Apache-2.0
#include "bridge/grib/carry/field_encoder.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <tgmap/write/szip_offsets.hpp>

#include "bridge/grib/packing/aec.hpp"
#include "bridge/grib/packing/group_packing.hpp"

namespace tgmap {
inline namespace v0 {
namespace bridge::grib {

namespace {

/// Memory that any field may take, and the bytes of values that each packed byte may stand for above that.
constexpr std::uint64_t small_expansion = std::uint64_t{64} << 20, max_expansion = 4096;

/// Copies integers to a smaller type. A missing one repeats the one before it, or takes the first that is not missing.
template <class Integer>
void narrow_integers(std::span<const std::int64_t> from, std::span<Integer> to) noexcept {
  const auto first = std::find_if(from.begin(), from.end(), [](std::int64_t each) { return each != missing_integer; });
  auto before = first == from.end() ? Integer{0} : static_cast<Integer>(*first);
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (from[i] != missing_integer) before = static_cast<Integer>(from[i]);
    to[i] = before;
  }
}

/// Writes a set bit for each integer that is not missing, at the places of `points`, which may be null for all.
void present_bits(std::span<const std::int64_t> integers, const bitmap& points, std::span<std::byte> out) noexcept {
  std::fill(out.begin(), out.end(), std::byte{0});
  std::size_t used = 0;
  for (std::uint64_t i = 0; i < points.points && used < integers.size(); ++i) {
    const auto byte = static_cast<std::size_t>(i / 8);
    const auto bit = static_cast<std::byte>(0x80U >> i % 8);
    if (points.values != points.points && (points.bits[byte] & bit) == std::byte{0}) continue;
    if (integers[used++] != missing_integer) out[byte] |= bit;
  }
}

}  // namespace

/// A few bytes may stand for any number of equal values. Real fields stay far below this limit.
failure field_encoder::check_expansion(std::uint64_t bytes) const noexcept {
  const std::uint64_t limit = std::max(small_expansion, how_.data.size() * max_expansion);
  if (bytes <= limit) return {};
  return {.code = errc::expansion_limit, .expected = limit, .found = bytes};
}

void field_encoder::set_scale(encoded_field& out) const noexcept {
  out.layout.reference = scaled_reference(how_.reference, how_.decimal_scale);
  out.layout.binary_scale = how_.binary_scale;
  out.layout.decimal_scale = how_.decimal_scale;
  out.is_exact = how_.decimal_scale == 0;
}

void field_encoder::encode_constant(double reference, encoded_field& out) const noexcept {
  out.layout.reference = reference;
  out.layout.bits = 0;  // scale factors, which may be out of range here, do not matter
  out.is_exact = true;
}

void field_encoder::add_mask(byte_view present, encoded_field& out, failure& why) {
  out.mask = encode_mask(present, bits_.points, memory_.mask, why);
  out.has_mask = true;
}

void field_encoder::encode_simple(encoded_field& out, failure& why) {
  set_scale(out);
  out.parts = {.tail = how_.padding, .packed_size = how_.data.size()};
  if (!has_all_points()) add_mask(bits_.bits, out, why);
  if (why) return;
  if (how_.bits == 0 || how_.values == 0) return encode_constant(how_.reference, out);  // ecCodes does not scale it
  out.layout.bits = how_.bits;
  out.payload = how_.data;
  if (has_all_points()) return;
  out.method = carry_method::reencoded;
  out.reason = carry_reason::missing_points;
  with_container(container_bytes(how_.bits), [&]<class Integer>(Integer) {
    const auto values = memory_.integers.take_integers<Integer>(how_.values, why);
    if (why) return;
    const auto points = memory_.points.take_integers<Integer>(bits_.points, why);
    if (why) return;
    const auto packed = memory_.stream.take(packed_bytes(bits_.points, how_.bits), why);
    if (why) return;
    unpack_integers(how_.data, 0, how_.bits, values);
    scatter_values(std::span<const Integer>(values), bits_.bits, points);
    pack_integers(std::span<const Integer>(points), how_.bits, packed);
    out.payload = packed;
  });
}

bool field_encoder::encode_ccsds(encoded_field& out, failure& why) {
  const unsigned flags = how_.ccsds.flags, bits = how_.bits;
  if ((flags & aec_signed) != 0) return false;  // its integers are not those of simple_packing
  set_scale(out);
  if (!has_all_points()) add_mask(bits_.bits, out, why);
  if (why) return true;
  if (bits == 0 || how_.values == 0) {
    out.parts.tail = how_.data;
    encode_constant(how_.reference, out);
    return true;
  }
  out.parts.packed_size = how_.data.size();
  if ((flags & aec_pad_rsi) != 0) {
    why = {.code = errc::padded_stream};
    return true;
  }
  // libaec ignores the flag for restricted codes above 8 bits.
  const unsigned kept = flags & (aec_preprocess | aec_not_enforce | (bits <= 8 ? aec_restricted : 0U));
  const szip_options options{
      .rsi = how_.ccsds.reference_sample_interval, .block_size = how_.ccsds.block_size, .flags = kept};
  // This also proves that the stream has all values, before there is memory for them.
  out.szip_offsets = find_szip_offsets(how_.data, how_.values, bits, options, why);
  if (why) return true;
  if (bits % 8 == 0 && has_all_points()) {
    out.payload = how_.data;
    out.layout.bits = bits;
    out.layout.is_szip = true;
    out.layout.szip_rsi = options.rsi;
    out.layout.szip_block_size = options.block_size;
    out.layout.szip_flags = kept;
    return true;
  }
  out.reason = has_all_points() ? carry_reason::sample_width : carry_reason::missing_points;
  why = check_expansion(how_.values * aec_sample_bytes(bits));
  if (why) return true;
  with_container(aec_sample_bytes(bits), [&]<class Integer>(Integer) {
    const auto values = memory_.integers.take_integers<Integer>(how_.values, why);
    if (!why)
      why = decode_aec(how_.data, {.bits = bits, .block_size = options.block_size, .rsi = options.rsi, .flags = kept},
                       std::as_writable_bytes(values));
    if (why) return;
    if (has_all_points()) return encode_szip(std::span<const Integer>(values), bits, out, why);
    const auto points = memory_.points.take_integers<Integer>(bits_.points, why);
    if (why) return;
    scatter_values(std::span<const Integer>(values), bits_.bits, points);
    encode_szip(std::span<const Integer>(points), bits, out, why);
  });
  return true;
}

void field_encoder::encode_ieee(encoded_field& out, failure& why) {
  out.layout.is_packed = false;
  out.layout.element = how_.bits == 32 ? dtype::float32 : dtype::float64;
  out.layout.order = byte_order::big;
  out.payload = how_.data;
  out.parts = {.tail = how_.padding, .packed_size = how_.data.size()};
  if (has_all_points()) return;
  out.method = carry_method::reencoded;
  out.reason = carry_reason::missing_points;
  add_mask(bits_.bits, out, why);
  const std::size_t size = how_.bits / 8;
  if (why) return;
  const auto points = memory_.points.take(bits_.points * size, why);
  if (why) return;
  scatter_elements(how_.data, size, bits_.bits, bits_.points, points);
  out.payload = points;
}

void field_encoder::encode_negative(std::span<const std::int64_t> integers, encoded_field& out, failure& why) {
  out.layout = {.is_packed = false, .element = dtype::float64};
  out.method = carry_method::decoded;
  out.reason = carry_reason::negative_integers;
  out.needs_original = true;
  out.is_exact = true;  // the formula of ecCodes
  const auto values = memory_.samples.take_integers<double>(integers.size(), why);
  if (why) return;
  const double scale = std::ldexp(1.0, how_.binary_scale), factor = decimal_factor(how_.decimal_scale);
  std::transform(integers.begin(), integers.end(), values.begin(), [&](std::int64_t each) {
    if (each == missing_integer) return 0.0;
    const double product = static_cast<double>(each) * scale;
    return (product + how_.reference) * factor;
  });
  out.payload = std::as_bytes(values);
  if (has_all_points()) return;
  const auto points = memory_.points.take(bits_.points * sizeof(double), why);
  if (why) return;
  scatter_elements(std::as_bytes(values), sizeof(double), bits_.bits, bits_.points, points);
  out.payload = points;
}

/// Checks that integers of up to `most` give finite values: those of groups may be wider than check_scale() has seen.
failure field_encoder::check_values(double most) const noexcept {
  const double step = std::ldexp(1.0, how_.binary_scale), product = most == 0 ? 0 : most * step;
  const bool is_sound = (most == 0 || std::isnormal(step)) &&
                        std::isfinite((std::abs(how_.reference) + product) * decimal_factor(how_.decimal_scale));
  return is_sound ? failure{} : failure{.code = errc::bad_scale};
}

void field_encoder::encode_complex(encoded_field& out, failure& why) {
  const group_table table = read_groups(how_, why);
  if (why) return;
  set_scale(out);
  out.parts = {.head = table.head,
               .tail = table.packed.subspan(static_cast<std::size_t>(table.packed_size)),
               .packed_size = table.packed_size};
  if (table.is_constant || how_.values == 0) {
    std::uint32_t first[1] = {0};
    unpack_integers(table.references, 0, how_.bits, std::span<std::uint32_t>(first));
    why = check_values(first[0]);
    if (why) return;
    const double product = first[0] == 0 ? 0 : static_cast<double>(first[0]) * std::ldexp(1.0, how_.binary_scale);
    if (!has_all_points()) add_mask(bits_.bits, out, why);
    encode_constant((product + how_.reference) * decimal_factor(how_.decimal_scale), out);
    out.is_exact = how_.groups.groups > 0;  // ecCodes gives other values without groups
    return;
  }
  why = check_expansion(how_.values * sizeof(std::int64_t));
  if (why) return;
  const auto integers = memory_.integers.take_integers<std::int64_t>(how_.values, why);
  if (why) return;
  const group_range range = unpack_groups(how_, table, integers, why);
  if (!why)
    why = check_values(std::max(std::abs(static_cast<double>(range.min)), std::abs(static_cast<double>(range.max))));
  if (why) return;
  out.method = carry_method::reencoded;
  out.reason = carry_reason::groups;
  out.needs_original = range.secondary > 0;  // a mask does not say which code a missing value had
  if (range.missing > 0) {
    out.parts.is_bitmap_kept = bits_.present;
    const auto present = memory_.rebuilt.take(packed_bytes(bits_.points, 1), why);
    if (why) return;
    present_bits(integers, bits_, present);
    add_mask(present, out, why);
  } else if (!has_all_points()) {
    add_mask(bits_.bits, out, why);
  }
  if (why) return;
  if (range.min < 0) return encode_negative(integers, out, why);
  const auto bits = static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>(range.max)));
  if (bits == 0) return encode_constant(out.layout.reference, out);
  with_container(container_bytes(bits), [&]<class Integer>(Integer) {
    auto values = memory_.samples.take_integers<Integer>(how_.values, why);
    if (why) return;
    narrow_integers(integers, values);
    if (!has_all_points()) {
      const auto points = memory_.points.take_integers<Integer>(bits_.points, why);
      if (why) return;
      scatter_values(std::span<const Integer>(values), bits_.bits, points);
      values = points;
    }
    if (bits <= 32) return encode_szip(std::span<const Integer>(values), bits, out, why);
    const auto packed = memory_.stream.take(packed_bytes(values.size(), bits), why);
    if (why) return;
    pack_integers(std::span<const Integer>(values), bits, packed);
    out.payload = packed;
    out.layout.bits = bits;
  });
}

bool field_encoder::encode(encoded_field& out, failure& why) {
  why = {};
  switch (how_.kind) {
    case packing_kind::simple: encode_simple(out, why); return true;
    case packing_kind::ccsds: return encode_ccsds(out, why);
    case packing_kind::ieee: encode_ieee(out, why); return true;
    case packing_kind::complex:
    case packing_kind::complex_spatial: encode_complex(out, why); return true;
    default: return false;
  }
}

}  // namespace bridge::grib
}  // namespace v0
}  // namespace tgmap
