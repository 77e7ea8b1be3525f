// SPDX-License-Identifier: Apache-2.0
#include "bridge/grib/sections/packing.hpp"

#include <cmath>

#include "bridge/grib/sections/packing_parameters.hpp"

namespace tgmap::bridge::grib {

namespace {

constexpr unsigned max_bits = 64;

// Flags of section 4 of GRIB 1.
constexpr unsigned is_spectral = 0x80, is_second_order = 0x40, are_integers = 0x20, has_more_flags = 0x10;

// Reads the packing of one field.
struct packing_reader {
  const field& from;
  const bitmap& bits;
  byte_view stored;  // bytes after the header of the data section
  failure& why;
  packing out{};

  bool read_2() noexcept;
  bool read_template() noexcept;
  bool read_1() noexcept;
  bool read_ieee(unsigned precision) noexcept;
  bool take_data() noexcept;
  bool check_scale() const noexcept;
  void set_scale_2(byte_view section) noexcept;
  byte_view header() const noexcept { return from.sections[from.edition == 2 ? 5 : 4]; }
  byte_view data_section() const noexcept { return from.sections[from.edition == 2 ? 7 : 4]; }
};

// R, E, D and the width, where most templates of section 5 have them.
void packing_reader::set_scale_2(byte_view section) noexcept {
  out.reference = ieee_float(section, 11);
  out.binary_scale = sign_and_magnitude(section, 15);
  out.decimal_scale = sign_and_magnitude(section, 17);
  out.bits = octet(section, 19);
}

// Every integer of that width must give a finite value.
bool packing_reader::check_scale() const noexcept {
  constexpr int max_decimal = 308;
  bool is_sound = std::isfinite(out.reference) && out.decimal_scale >= -max_decimal && out.decimal_scale <= max_decimal;
  if (is_sound && out.bits != 0) {
    const double step = std::ldexp(1.0, out.binary_scale);
    const double max = std::ldexp(1.0, out.binary_scale + static_cast<int>(out.bits));
    const double power = std::pow(10.0, -out.decimal_scale);
    is_sound = std::isnormal(step) && std::isfinite(max) && std::isfinite((std::abs(out.reference) + max) * power);
  }
  return is_sound || fail(why, from, header(), errc::bad_scale, 0, 0);
}

// Divides the data section into the bytes of integers and padding.
bool packing_reader::take_data() noexcept {
  if (out.bits > max_bits) return fail(why, from, header(), errc::bad_width, max_bits, out.bits);
  const std::uint64_t bits_needed = out.values * out.bits;  // at most 2^32 values of 64 bits
  const std::uint64_t needed = bits_needed / 8 + (bits_needed % 8 != 0 ? 1 : 0);
  if (needed > stored.size()) return fail(why, from, data_section(), errc::data_too_short, needed, stored.size());
  out.data = stored.first(needed);
  out.padding = stored.subspan(needed);
  return true;
}

bool packing_reader::read_ieee(unsigned precision) noexcept {
  if (precision != 1 && precision != 2) {  // 128 bits
    out.data = stored;
    return precision == 3 || fail(why, from, header(), errc::bad_parameter, 0, precision, "precision");
  }
  out.kind = packing_kind::ieee;
  out.bits = 32 * precision;
  return take_data();
}

bool packing_reader::read_template() noexcept {
  const byte_view section = from.sections[5];
  const std::size_t needed = packing_template_bytes(out.template_number);
  if (!has_bytes(from, section, needed, why)) return false;
  const auto check_integers = [&] {
    return out.bits <= max_bits || fail(why, from, section, errc::bad_width, max_bits, out.bits);
  };
  switch (out.template_number) {
    case 0:
      out.kind = packing_kind::simple;
      set_scale_2(section);
      out.values_are_integers = octet(section, 20) == 1;
      return check_integers() && check_scale() && take_data();
    case 2:
    case 3:
      out.kind = out.template_number == 2 ? packing_kind::complex : packing_kind::complex_spatial;
      set_scale_2(section);
      out.values_are_integers = octet(section, 20) == 1;
      out.data = stored;
      return check_integers() && check_scale() && read_complex_parameters(out, from, why);
    case 4: return read_ieee(octet(section, 11));
    case 42:
      out.kind = packing_kind::ccsds;
      set_scale_2(section);
      out.values_are_integers = octet(section, 20) == 1;
      out.data = stored;
      return check_integers() && check_scale() && read_ccsds_parameters(out, from, why);
    case 40:
    case 40000: out.kind = packing_kind::jpeg; break;
    case 41:
    case 40010: out.kind = packing_kind::png; break;
    case 50:
    case 51:
    case 53: out.kind = packing_kind::spectral; break;
    case 50001:
    case 50002: out.kind = packing_kind::second_order; break;
    case 61: break;
    default: out.data = stored; return true;
  }
  set_scale_2(section);
  out.data = stored;
  return check_integers() && check_scale();
}

bool packing_reader::read_2() noexcept {
  stored = from.sections[7].subspan(5);
  const byte_view section = from.sections[5];
  out.values = big_endian<4>(section, 5);
  out.template_number = static_cast<std::uint16_t>(big_endian<2>(section, 9));
  // Matrices have many values for a point.
  if (out.values != bits.values && out.template_number != 1)
    return fail(why, from, section, errc::value_count, bits.values, out.values);
  return read_template();
}

bool packing_reader::read_1() noexcept {
  const byte_view section = from.sections[4];
  const unsigned flags = octet(section, 3);
  out.template_number = static_cast<std::uint16_t>(flags & 0xF0U);
  out.binary_scale = sign_and_magnitude(section, 4);
  out.decimal_scale = sign_and_magnitude(from.sections[1], 26);
  out.reference = ibm_float(section, 6);
  out.bits = octet(section, 10);
  out.values_are_integers = (flags & are_integers) != 0;
  out.values = bits.values;
  stored = section.subspan(11);
  out.data = stored;
  if ((flags & is_spectral) != 0) {
    out.kind = packing_kind::spectral;
    return check_scale();
  }
  if ((flags & is_second_order) != 0) {
    if (!has_bytes(from, section, 21, why)) return false;
    out.template_number |= static_cast<std::uint16_t>(octet(section, 13) << 8U);
    out.kind = packing_kind::second_order;
    return check_scale();
  }
  if ((flags & has_more_flags) != 0) {
    if ((flags & are_integers) == 0) {
      if (!has_bytes(from, section, 14, why)) return false;
      out.template_number |= static_cast<std::uint16_t>(octet(section, 13) << 8U);
      return true;  // matrices
    }
    if (!has_bytes(from, section, 12, why)) return false;
    stored = section.subspan(12);
    return read_ieee(octet(section, 11));
  }
  if (out.binary_scale == -32767) return true;  // a field without values, in ECMWF's coding

  out.kind = packing_kind::simple;
  if (!check_scale() || !take_data()) return false;
  // The section states its padding, so it states its values, too. Encoders that do not, leave less than 16 bits.
  const std::uint64_t all = 8 * std::uint64_t{stored.size()}, unused = flags & 0x0FU;
  const std::uint64_t rest = all - out.values * out.bits;
  if (out.bits == 0 || rest < 16 || (rest >= unused && rest - unused < out.bits)) return true;
  return fail(why, from, section, errc::value_count, out.values, (all - unused) / out.bits);
}

}  // namespace

packing read_packing(const field& from, failure& why) noexcept {
  const bitmap bits = read_bitmap(from, why);
  return why ? packing{} : read_packing(from, bits, why);
}

packing read_packing(const field& from, const bitmap& bits, failure& why) noexcept {
  why = {};
  packing_reader reader{from, bits, {}, why};
  return (from.edition == 2 ? reader.read_2() : reader.read_1()) ? reader.out : packing{};
}

}  // namespace tgmap::bridge::grib
