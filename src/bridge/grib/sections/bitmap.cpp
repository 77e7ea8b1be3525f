// SPDX-License-Identifier: Apache-2.0
#include "bridge/grib/sections/bitmap.hpp"

#include <bit>
#include <cstring>

#include "bridge/grib/sections/grid_shape.hpp"
#include "bridge/grib/sections/numbers.hpp"
#include "bridge/grib/sections/section_failure.hpp"

namespace tgmap::bridge::grib {

namespace {

// Counts the bits that are set among the first `count`.
std::uint64_t count_bits(byte_view bits, std::uint64_t count) noexcept {
  std::uint64_t out = 0;
  std::size_t at = 0;
  for (; bits.size() - at > 8; at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bits.data() + at, 8);
    out += static_cast<unsigned>(std::popcount(word));
  }
  for (; at < bits.size(); ++at) {
    unsigned byte = octet(bits, at);
    const std::uint64_t left = count - 8 * at;
    if (left < 8) byte &= 0xFFU << (8 - left);  // the padding of the last byte
    out += static_cast<unsigned>(std::popcount(byte));
  }
  return out;
}

}  // namespace

bitmap read_bitmap(const field& from, failure& why) noexcept {
  bitmap out;
  out.points = points_of(from, why);
  if (why) return {};
  out.values = out.points;
  const byte_view section = from.bitmap_section;
  if (section.empty()) return out;

  // GRIB 1 says how many bits of its section are padding; GRIB 2 has only that of the last byte.
  const bool is_edition_1 = from.edition == 1;
  const unsigned number = is_edition_1 ? static_cast<unsigned>(big_endian<2>(section, 4)) : octet(section, 5);
  if (number != 0) {
    fail(why, from, section, errc::predefined_bitmap, 0, number);
    return {};
  }
  const byte_view bytes = section.subspan(6);
  const std::uint64_t unused = is_edition_1 ? octet(section, 3) : (8 - out.points % 8) % 8;
  const std::uint64_t bits = 8 * std::uint64_t{bytes.size()};
  if (unused > bits || bits - unused != out.points) {
    fail(why, from, section, errc::bitmap_length, out.points, unused > bits ? 0 : bits - unused);
    return {};
  }
  out.bits = bytes.first(out.points / 8 + (out.points % 8 != 0 ? 1 : 0));
  out.values = count_bits(out.bits, out.points);
  out.present = true;
  return out;
}

}  // namespace tgmap::bridge::grib
