// SPDX-License-Identifier: Apache-2.0
#include "bridge/grib/sections/packing_parameters.hpp"

#include <bit>

namespace tgmap::bridge::grib {

namespace {

constexpr unsigned max_integer_bits = 32;  // of libaec, and of what the groups of templates 2 and 3 give

constexpr std::uint64_t bytes_of(std::uint64_t bits) noexcept { return bits / 8 + (bits % 8 != 0 ? 1 : 0); }

bool refuse(failure& why, const field& from, const char* parameter, std::uint64_t value) noexcept {
  return fail(why, from, from.sections[5], errc::bad_parameter, 0, value, parameter);
}

}  // namespace

std::size_t packing_template_bytes(unsigned number) noexcept {
  switch (number) {
    case 0:
    case 41:
    case 40010: return 21;
    case 2: return 47;
    case 3: return 49;
    case 4: return 12;
    case 40:
    case 40000: return 23;
    case 42: return 25;
    case 50:
    case 61: return 24;
    case 51:
    case 53: return 35;
    case 50001:
    case 50002: return 20;
    default: return 11;
  }
}

bool read_ccsds_parameters(packing& out, const field& from, failure& why) noexcept {
  const byte_view section = from.sections[5];
  out.ccsds.flags = static_cast<std::uint8_t>(octet(section, 21));
  out.ccsds.block_size = octet(section, 22);
  out.ccsds.reference_sample_interval = static_cast<unsigned>(big_endian<2>(section, 23));
  if (out.bits > max_integer_bits) return fail(why, from, section, errc::bad_width, max_integer_bits, out.bits);
  if (out.bits == 0) return true;  // all values are the reference value, and nothing is compressed
  const unsigned block = out.ccsds.block_size, interval = out.ccsds.reference_sample_interval;
  if (block < 8 || block > 64 || !std::has_single_bit(block)) return refuse(why, from, "block size of CCSDS", block);
  if (interval == 0 || interval > 4096) return refuse(why, from, "reference sample interval of CCSDS", interval);
  // 64 blocks of zeros take 7 bits at least; so a short stream cannot claim many values.
  const std::uint64_t most = 64 * std::uint64_t{block};
  const std::uint64_t max_values = (8 * std::uint64_t{out.data.size()} / 7 + 1) * most;
  if (out.data.empty() ? out.values != 0 : out.values > max_values)
    return fail(why, from, from.sections[7], errc::data_too_short, out.values / most * 7 / 8 + 1, out.data.size());
  return true;
}

bool read_complex_parameters(packing& out, const field& from, failure& why) noexcept {
  const byte_view section = from.sections[5];
  complex_parameters& groups = out.groups;
  groups.splitting_method = octet(section, 21);
  groups.missing_value_management = octet(section, 22);
  groups.primary_missing = static_cast<std::uint32_t>(big_endian<4>(section, 23));
  groups.secondary_missing = static_cast<std::uint32_t>(big_endian<4>(section, 27));
  groups.groups = static_cast<std::uint32_t>(big_endian<4>(section, 31));
  groups.width_reference = octet(section, 35);
  groups.width_bits = octet(section, 36);
  groups.length_reference = static_cast<std::uint32_t>(big_endian<4>(section, 37));
  groups.length_increment = octet(section, 41);
  groups.last_length = static_cast<std::uint32_t>(big_endian<4>(section, 42));
  groups.length_bits = octet(section, 46);
  if (out.kind == packing_kind::complex_spatial) {
    groups.order = octet(section, 47);
    groups.extra_octets = octet(section, 48);
    if (groups.order > 2) return refuse(why, from, "order of spatial differencing", groups.order);
    if (groups.extra_octets > 8) return refuse(why, from, "octets of extra descriptors", groups.extra_octets);
  }
  if (groups.missing_value_management > 2)
    return refuse(why, from, "missing value management", groups.missing_value_management);
  const unsigned widest = out.bits > groups.width_bits ? out.bits : groups.width_bits;
  const unsigned width = widest > groups.length_bits ? widest : groups.length_bits;
  if (width > max_integer_bits) return fail(why, from, section, errc::bad_width, max_integer_bits, width);
  // A group has one value at least, but those who encode it may count one group for no values.
  if (groups.groups > out.values && !(out.values == 0 && groups.groups == 1))
    return refuse(why, from, "number of groups", groups.groups);
  if (groups.groups == 0) {  // NCEP's constant fields: all values are the reference value, and nothing is stored
    return out.values == 0 || out.bits == 0 || refuse(why, from, "number of groups", 0);
  }

  // Three lists, each ending with a whole byte, before the values of the groups.
  const std::uint64_t count = groups.groups;
  const std::uint64_t described = std::uint64_t{groups.order != 0 ? groups.order + 1 : 0} * groups.extra_octets +
                                  bytes_of(count * out.bits) + bytes_of(count * groups.width_bits) +
                                  bytes_of(count * groups.length_bits);
  if (described > out.data.size())
    return fail(why, from, from.sections[7], errc::data_too_short, described, out.data.size());
  return true;
}

}  // namespace tgmap::bridge::grib
