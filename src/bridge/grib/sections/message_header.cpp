// SPDX-License-Identifier: Apache-2.0
#include "bridge/grib/sections/message_header.hpp"

#include <cstring>

#include "bridge/grib/sections/numbers.hpp"

namespace tgmap::bridge::grib {

namespace {

using kind = message_header::kind;

constexpr std::uint64_t min_size_1 = 8 + 28 + 11 + 4;
constexpr std::uint64_t min_size_2 = 16 + 21 + 14 + 9 + 11 + 6 + 5 + 4;
constexpr std::uint64_t coded_bit = 0x800000;
constexpr std::uint64_t coded_unit = 120;

// Follows the sections to section 4, whose length tells how the length of the message is coded.
message_header header_of_large_message(std::span<const std::byte> bytes, std::uint64_t stated) noexcept {
  std::uint64_t at = 8;
  unsigned flags = 0;
  for (unsigned section = 1; section <= 4; ++section) {
    if (section == 2 && (flags & 0x80U) == 0) continue;
    if (section == 3 && (flags & 0x40U) == 0) continue;
    const std::uint64_t needed = at + (section == 1 ? 8 : 3);
    if (bytes.size() < needed) return {kind::incomplete, 1, needed};
    const std::uint64_t length = big_endian<3>(bytes, at);
    if (section == 1) flags = octet(bytes, at + 7);
    if (section == 4) {
      if (length >= coded_unit) return {kind::message, 1, stated};
      const std::uint64_t size = (stated & ~coded_bit) * coded_unit;
      if (size < length || size - length + 4 < at + 11 + 4) return {kind::impossible, 1, stated};
      return {kind::message, 1, size - length + 4};
    }
    if (length < 6) return {kind::impossible, 1, stated};
    at += length;
  }
  return {kind::impossible, 1, stated};
}

message_header header_of_edition_1(std::span<const std::byte> bytes) noexcept {
  if (bytes.size() < 11) return {kind::incomplete, 1, 11};
  const std::uint64_t stated = big_endian<3>(bytes, 4);
  const std::uint64_t section_1 = big_endian<3>(bytes, 8);
  if (stated < min_size_1 || section_1 < 28) return {kind::impossible, 1, stated};
  if ((stated & coded_bit) != 0) return header_of_large_message(bytes, stated);
  if (section_1 > stated - (min_size_1 - 28)) return {kind::impossible, 1, stated};
  return {kind::message, 1, stated};
}

message_header header_of_edition_2(std::span<const std::byte> bytes) noexcept {
  if (bytes.size() < 21) return {kind::incomplete, 2, 21};
  const std::uint64_t stated = big_endian<8>(bytes, 8);
  const std::uint64_t section_1 = big_endian<4>(bytes, 16);
  if (stated < min_size_2 || section_1 < 21 || section_1 > stated - (min_size_2 - 21) || octet(bytes, 20) != 1)
    return {kind::impossible, 2, stated};
  return {kind::message, 2, stated};
}

}  // namespace

message_header read_message_header(std::span<const std::byte> bytes) noexcept {
  if (bytes.size() < 8) return {kind::incomplete, 0, 8};
  if (std::memcmp(bytes.data(), "GRIB", 4) != 0) return {};
  switch (octet(bytes, 7)) {
    case 1: return header_of_edition_1(bytes);
    case 2: return header_of_edition_2(bytes);
    default: return {};
  }
}

bool has_coded_length(std::span<const std::byte> message, std::uint64_t section_4_length) noexcept {
  return (big_endian<3>(message, 4) & coded_bit) != 0 && section_4_length < coded_unit;
}

}  // namespace tgmap::bridge::grib
