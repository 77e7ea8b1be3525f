// SPDX-License-Identifier: Apache-2.0
#include "bridge/grib/keys/field_message.hpp"

#include <algorithm>
#include <new>
#include <string_view>

#include "bridge/grib/sections/numbers.hpp"
#include "bridge/grib/sections/section_failure.hpp"

namespace tgmap::bridge::grib {

namespace {

using bytes = std::vector<std::byte>;

void append_bytes(bytes& to, byte_view section) { to.insert(to.end(), section.begin(), section.end()); }

void append_end(bytes& to) {
  for (const char each : std::string_view("7777")) to.push_back(static_cast<std::byte>(each));
}

/// Writes a big-endian integer of `count` bytes.
void put(bytes& to, std::size_t at, std::size_t count, std::uint64_t value) {
  for (std::size_t i = 0; i < count; ++i) to[at + i] = static_cast<std::byte>(value >> 8U * (count - 1 - i) & 0xFFU);
}

/// Appends a section of GRIB 2. Its bytes may have changed since its length was checked.
void append_section_2(bytes& to, unsigned number, byte_view section) {
  const std::size_t at = to.size();
  append_bytes(to, section);
  if (section.empty()) return;
  put(to, at, 4, section.size());
  put(to, at + 4, 1, number);
}

/// Appends a section of zeros that begins with its length and number, as those of GRIB 2.
std::size_t append_zeros_2(bytes& to, unsigned number, std::size_t size) {
  const std::size_t at = to.size();
  to.resize(at + size);
  put(to, at, 4, size);
  put(to, at + 4, 1, number);
  return at;
}

constexpr std::size_t max_template_bytes = 256;  // of section 5, which has no lists
constexpr unsigned no_bitmap_here = 255, earlier_bitmap = 254;

bytes message_without_data_2(const field& of) {
  bytes out;
  append_bytes(out, of.sections[0]);
  for (unsigned number = 1; number <= 4; ++number) append_section_2(out, number, of.sections[number]);
  // Number of values and template of section 5; all else is zero: one value everywhere.
  const byte_view representation = of.sections[5];
  const std::size_t at = append_zeros_2(out, 5, std::clamp<std::size_t>(representation.size(), 11, max_template_bytes));
  std::copy_n(representation.begin() + 5, 6, out.begin() + static_cast<std::ptrdiff_t>(at + 5));
  put(out, append_zeros_2(out, 6, 6) + 5, 1, no_bitmap_here);
  append_zeros_2(out, 7, 5);
  append_end(out);
  put(out, 8, 8, out.size());
  return out;
}

bytes whole_message_2(const field& of) {
  bytes out;
  append_bytes(out, of.sections[0]);
  for (unsigned number = 1; number <= 5; ++number) append_section_2(out, number, of.sections[number]);
  const byte_view bits = of.sections[6];
  append_section_2(out, 6, octet(bits, 5) == earlier_bitmap ? of.bitmap_section : bits);
  append_section_2(out, 7, of.sections[7]);
  append_end(out);
  put(out, 8, 8, out.size());
  return out;
}

/// The data section keeps what its flags say. `data_bytes` has room for the headers of all packings.
bytes message_without_data_1(const field& of, failure& why) {
  constexpr std::size_t flags_at = 7, data_bytes = 64;
  constexpr std::byte has_bitmap{0x40};
  constexpr std::size_t max_bytes = 0x7FFFFF;  // longer ones have coded lengths
  const std::size_t headers = of.sections[0].size() + of.sections[1].size() + of.sections[2].size();
  if (headers > max_bytes - data_bytes - 4) {
    fail(why, of, of.sections[1], errc::section_too_long, max_bytes, headers);
    return {};
  }
  bytes out;
  for (std::size_t number = 0; number <= 2; ++number) append_bytes(out, of.sections[number]);
  out[of.sections[0].size() + flags_at] &= ~has_bitmap;
  const std::size_t at = out.size();
  out.resize(at + data_bytes);
  put(out, at, 3, data_bytes);
  const byte_view data = of.sections[4];
  if (data.size() > 3) put(out, at + 3, 1, octet(data, 3) & 0xF0U);
  if (data.size() > 13 && (octet(data, 3) & 0x50U) != 0) put(out, at + 13, 1, octet(data, 13));
  append_end(out);
  put(out, 4, 3, out.size());
  return out;
}

}  // namespace

std::vector<std::byte> whole_message(const field& of, failure& why) noexcept try {
  why = {};
  return of.edition == 2 ? whole_message_2(of) : bytes(of.message.begin(), of.message.end());
} catch (const std::bad_alloc&) {
  why = {.code = tgmap::errc::out_of_memory};
  return {};
}

std::vector<std::byte> message_without_data(const field& of, failure& why) noexcept try {
  why = {};
  return of.edition == 2 ? message_without_data_2(of) : message_without_data_1(of, why);
} catch (const std::bad_alloc&) {
  why = {.code = tgmap::errc::out_of_memory};
  return {};
}

}  // namespace tgmap::bridge::grib
