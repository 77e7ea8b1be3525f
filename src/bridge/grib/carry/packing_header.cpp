// SPDX-License-Identifier: Apache-2.0
#include "bridge/grib/carry/packing_header.hpp"

#include <cmath>

#include "bridge/grib/sections/numbers.hpp"

namespace tgmap {
inline namespace v0 {
namespace bridge::grib {

namespace {

/// Returns the bytes that the parameters need, which this file reads.
std::size_t needed_bytes(unsigned template_number) noexcept {
  switch (template_number) {
    case 0: return 21;
    case 2: return 47;
    case 3: return 49;
    case 4: return 12;
    case 42: return 25;
    default: return 11;
  }
}

bool read_header_2(byte_view section, packing& out) noexcept {
  out.template_number = static_cast<std::uint16_t>(big_endian<2>(section, 9));
  if (section.size() < needed_bytes(out.template_number)) return false;
  switch (out.template_number) {
    case 0: out.kind = packing_kind::simple; break;
    case 2: out.kind = packing_kind::complex; break;
    case 3: out.kind = packing_kind::complex_spatial; break;
    case 42: out.kind = packing_kind::ccsds; break;
    case 4:
      out.bits = 32 * octet(section, 11);
      if (out.bits == 32 || out.bits == 64) out.kind = packing_kind::ieee;
      return true;
    default: return true;
  }
  out.reference = ieee_float(section, 11);
  out.binary_scale = sign_and_magnitude(section, 15);
  out.decimal_scale = sign_and_magnitude(section, 17);
  out.bits = octet(section, 19);
  if (out.kind != packing_kind::ccsds) return true;
  out.ccsds = {.flags = static_cast<std::uint8_t>(octet(section, 21)),
               .block_size = octet(section, 22),
               .reference_sample_interval = static_cast<unsigned>(big_endian<2>(section, 23))};
  return out.bits <= 32 && (out.bits == 0 || (out.ccsds.block_size > 0 && out.ccsds.reference_sample_interval > 0));
}

bool read_header_1(const field& from, packing& out) noexcept {
  const byte_view header = from.sections[4];
  const unsigned flags = octet(header, 3);
  constexpr unsigned is_spectral = 0x80, is_second_order = 0x40, are_integers = 0x20, has_more_flags = 0x10;
  out.binary_scale = sign_and_magnitude(header, 4);
  out.decimal_scale = sign_and_magnitude(from.sections[1], 26);
  out.reference = ibm_float(header, 6);
  out.bits = octet(header, 10);
  if ((flags & (is_spectral | is_second_order)) != 0) return true;
  constexpr int no_values = -32767;  // ECMWF's field without values, which only ecCodes decodes
  if (out.binary_scale == no_values) return true;
  if ((flags & has_more_flags) == 0) {
    out.kind = packing_kind::simple;
    return true;
  }
  if ((flags & are_integers) == 0 || header.size() < 12) return true;
  out.bits = 32 * octet(header, 11);
  if (out.bits == 32 || out.bits == 64) out.kind = packing_kind::ieee;
  return true;
}

}  // namespace

packing read_packing_header(const field& from, failure& why) noexcept {
  why = {};
  packing out;
  constexpr int max_decimal = 308, max_binary = 2000;  // as where messages are read, so that loops end
  const bool is_read = from.edition == 2 ? read_header_2(from.sections[5], out) : read_header_1(from, out);
  const bool has_scale = out.kind != packing_kind::other && out.kind != packing_kind::ieee;
  const bool is_scale =
      std::isfinite(out.reference) &&
      (out.bits == 0 || (std::abs(out.decimal_scale) <= max_decimal && std::abs(out.binary_scale) <= max_binary));
  const bool is_usable = is_read && out.bits <= 64 && (!has_scale || is_scale);
  if (!is_usable) why = {.code = errc::bad_sections};
  return why ? packing{} : out;
}

}  // namespace bridge::grib
}  // namespace v0
}  // namespace tgmap
