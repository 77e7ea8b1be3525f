// SPDX-License-Identifier: Apache-2.0
#include "bridge/grib/carry/stored_sections.hpp"

#include <algorithm>
#include <array>
#include <new>
#include <optional>

#include "bridge/grib/packing/byte_buffer.hpp"
#include "bridge/grib/packing/integers.hpp"
#include "bridge/grib/sections/numbers.hpp"

namespace tgmap {
inline namespace v0 {
namespace bridge::grib {

namespace {

/// Parts of `grib_rest`.
enum class rest_part : std::uint8_t {
  bitmap = 6,         ///< stored_sections::bitmap_part
  whole_bitmap = 16,  ///< stored_sections::whole_bitmap
  head = 7,           ///< four bytes with the size of the packed values, then data_parts::head
  tail = 8,
  place = 9,  ///< of the field in its message: number and fields of four bytes each, first section of one byte
};

constexpr std::size_t bitmap_header = 6;  ///< bytes before the bits, in both editions
constexpr std::size_t bitmap_section_2 = 6, data_section_1 = 4, bitmap_section_1 = 3;

void append_number(std::vector<std::byte>& to, std::uint64_t number, unsigned octets) {
  for (unsigned i = octets; i > 0; --i) to.push_back(static_cast<std::byte>(number >> 8 * (i - 1)));
}

void append_part(std::vector<std::byte>& to, rest_part which, std::initializer_list<byte_view> pieces) {
  to.push_back(static_cast<std::byte>(which));
  std::uint64_t size = 0;
  for (const byte_view each : pieces) size += each.size();
  append_number(to, size, 4);
  for (const byte_view each : pieces) append_bytes(to, each);
}

bool is_zeros(byte_view bytes) noexcept {
  return std::all_of(bytes.begin(), bytes.end(), [](std::byte each) { return each == std::byte{0}; });
}

/// Returns true if the bitmap section of a field is what rebuilding makes by itself: one that the mask of the object
/// gives, without bits after the last point, and of GRIB 2 without further bytes. The mask of complex packing is not
/// taken for a bitmap.
bool is_usual_bitmap(const field& from, const packing& how, const bitmap& bits, byte_view section,
                     bool has_mask) noexcept {
  const bool is_complex = how.kind == packing_kind::complex || how.kind == packing_kind::complex_spatial;
  if (from.edition == 2) {
    const unsigned indicator = octet(section, 5);
    if (indicator != 0) return indicator == 255 && section.size() == bitmap_header && (!has_mask || is_complex);
    if (is_complex || section.size() != bitmap_header + packed_bytes(bits.points, 1)) return false;
  }
  if (!has_mask) return false;
  const auto last = section.subspan(bitmap_header + static_cast<std::size_t>(bits.points / 8));
  if (bits.points % 8 == 0) return is_zeros(last);
  return (octet(last, 0) & (0xFFU >> bits.points % 8)) == 0 && is_zeros(last.subspan(1));
}

void append_bitmap(std::vector<std::byte>& to, const field& from, const packing& how, const bitmap& bits,
                   const data_parts& data, bool has_mask) {
  const byte_view section = from.sections[from.edition == 2 ? bitmap_section_2 : bitmap_section_1];
  if (section.size() < bitmap_header) return;
  if (data.is_bitmap_kept) return append_part(to, rest_part::whole_bitmap, {section});
  if (is_usual_bitmap(from, how, bits, section, has_mask)) return;
  const bool has_bits = from.edition == 1 || section[5] == std::byte{0};
  const std::size_t whole =
      has_bits ? std::min(section.size() - bitmap_header, static_cast<std::size_t>(bits.points / 8)) : 0;
  append_part(to, rest_part::bitmap, {section.first(bitmap_header), section.subspan(bitmap_header + whole)});
}

/// Returns true if the bytes after the values are what rebuilding makes by itself: none in GRIB 2; zeros up to the
/// length of the section in GRIB 1.
bool is_usual_tail(const field& from, const packing& how, const data_parts& data) noexcept {
  if (from.edition == 2) return data.tail.empty();
  const byte_view section = from.sections[data_section_1];
  const std::uint64_t length = big_endian<3>(section, 0), before = data_header_bytes(1, how.kind) + data.packed_size;
  return is_zeros(data.tail) && data.tail.size() == (length > before ? length - before : 0);
}

}  // namespace

std::size_t data_header_bytes(unsigned edition, packing_kind kind) noexcept {
  if (edition == 2) return 5;
  return kind == packing_kind::ieee ? 12 : 11;
}

std::vector<std::byte> sections_without_values(const field& from, const packing& how, failure& why) noexcept try {
  why = {};
  std::vector<std::byte> out;
  const std::size_t whole = from.edition == 2 ? bitmap_section_2 : bitmap_section_1;
  std::size_t size = 32;
  for (std::size_t i = 0; i < whole; ++i) size += from.sections[i].size();
  out.reserve(size);
  for (std::size_t i = 0; i < whole; ++i) append_bytes(out, from.sections[i]);
  if (from.edition == 2) return out;
  const byte_view bits = from.sections[bitmap_section_1];
  append_bytes(out, bits.first(std::min(bits.size(), bitmap_header)));
  append_bytes(out, from.sections[data_section_1].first(data_header_bytes(1, how.kind)));
  return out;
} catch (const std::bad_alloc&) {
  why = {.code = tgmap::errc::out_of_memory};
  return {};
}

std::vector<std::byte> rest_of_sections(const field& from, const packing& how, const bitmap& bits,
                                        const data_parts& data, bool has_mask, failure& why) noexcept try {
  why = {};
  std::vector<std::byte> out;
  append_bitmap(out, from, how, bits, data, has_mask);
  if (!data.head.empty() || (how.kind != packing_kind::simple && data.head.data() != nullptr)) {
    std::vector<std::byte> size;
    append_number(size, data.packed_size, 4);
    append_part(out, rest_part::head, {size, data.head});
  }
  if (!is_usual_tail(from, how, data)) append_part(out, rest_part::tail, {data.tail});
  if (from.fields > 1) {
    std::vector<std::byte> place;
    append_number(place, from.number, 4);
    append_number(place, from.fields, 4);
    append_number(place, from.first_section, 1);
    append_part(out, rest_part::place, {place});
  }
  return out;
} catch (const std::bad_alloc&) {
  why = {.code = tgmap::errc::out_of_memory};
  return {};
}

namespace {

/// Returns the next `size` bytes of `rest`, or nothing if there are fewer.
std::optional<byte_view> cut(byte_view& rest, std::uint64_t size) noexcept {
  if (size > rest.size()) return std::nullopt;
  const byte_view out = rest.first(static_cast<std::size_t>(size));
  rest = rest.subspan(static_cast<std::size_t>(size));
  return out;
}

bool read_sections_2(byte_view rest, field& out) noexcept {
  constexpr std::size_t indicator = 16;
  const auto first = cut(rest, indicator);
  if (!first) return false;
  out.sections[0] = *first;
  for (unsigned last = 0; !rest.empty();) {
    if (rest.size() < 5) return false;
    const unsigned number = octet(rest, 4);
    const std::uint64_t length = big_endian<4>(rest, 0);
    if (number <= last || number > 5 || length < 5) return false;
    const auto section = cut(rest, length);
    if (!section) return false;
    out.sections[number] = *section;
    last = number;
  }
  const std::size_t needed[] = {0, 21, 0, 14, 9, 11};
  for (const unsigned i : {1U, 3U, 4U, 5U})
    if (out.sections[i].size() < needed[i]) return false;
  return true;
}

bool read_sections_1(byte_view rest, field& out) noexcept {
  constexpr std::size_t indicator = 8, min_product = 28, min_grid = 6, min_data = 11;
  const auto first = cut(rest, indicator);
  if (!first || rest.size() < min_product) return false;
  out.sections[0] = *first;
  const std::uint64_t product = big_endian<3>(rest, 0);
  const unsigned flags = octet(rest, 7);
  if (product < min_product) return false;
  const auto section_1 = cut(rest, product);
  if (!section_1) return false;
  out.sections[1] = *section_1;
  if ((flags & 0x80U) != 0) {
    const std::uint64_t grid = rest.size() < min_grid ? 0 : big_endian<3>(rest, 0);
    const auto section_2 = grid < min_grid ? std::nullopt : cut(rest, grid);
    if (!section_2) return false;
    out.sections[2] = *section_2;
  }
  if ((flags & 0x40U) != 0) {
    const auto section_3 = cut(rest, bitmap_header);
    if (!section_3) return false;
    out.sections[bitmap_section_1] = *section_3;
  }
  out.sections[data_section_1] = rest;
  return rest.size() == min_data || rest.size() == min_data + 1;
}

bool read_place(byte_view part, field& out) noexcept {
  if (part.size() != 9) return false;
  out.number = big_endian<4>(part, 0);
  out.fields = big_endian<4>(part, 4);
  out.first_section = octet(part, 8);
  return out.number < out.fields && out.first_section <= 4 && out.first_section != 1;
}

bool read_rest(byte_view rest, stored_sections& out) noexcept {
  while (!rest.empty()) {
    if (rest.size() < 5) return false;
    const auto which = static_cast<rest_part>(octet(rest, 0));
    const std::uint64_t size = big_endian<4>(rest, 1);
    rest = rest.subspan(5);
    const auto part = cut(rest, size);
    if (!part) return false;
    switch (which) {
      case rest_part::bitmap:
        if (part->size() < bitmap_header) return false;
        out.bitmap_part = *part;
        break;
      case rest_part::whole_bitmap:
        if (part->size() < bitmap_header) return false;
        out.whole_bitmap = *part;
        break;
      case rest_part::head:
        if (part->size() < 4) return false;
        out.head_packed_size = big_endian<4>(*part, 0);
        out.head = part->subspan(4);
        break;
      case rest_part::tail:
        out.tail = *part;
        out.has_tail = true;
        break;
      case rest_part::place:
        if (out.from.edition != 2 || !read_place(*part, out.from)) return false;
        break;
      default: return false;
    }
  }
  return true;
}

/// Returns a byte string of a map; false if it is of another kind.
bool read_bytes(const cbor_view& base, std::string_view key, byte_view& out, bool& is_there) noexcept {
  const auto found = base.find(key);
  is_there = found.has_value();
  if (!found) return true;
  const auto bytes = found->get<byte_view>();
  if (bytes) out = *bytes;
  return bytes.has_value();
}

bool read_message_sections(byte_view sections, field& out) noexcept {
  constexpr std::size_t edition_at = 7;
  if (sections.size() <= edition_at || big_endian<4>(sections, 0) != 0x47524942) return false;  // "GRIB"
  out.edition = octet(sections, edition_at);
  if (out.edition == 2) return read_sections_2(sections, out);
  return out.edition == 1 && read_sections_1(sections, out);
}

}  // namespace

stored_sections read_stored_sections(const cbor_view& base, failure& why) noexcept {
  stored_sections out;
  byte_view sections, rest;
  bool has_sections = false, has_rest = false;
  why = {};
  const bool are_bytes = read_bytes(base, "grib_sections", sections, has_sections) &&
                         read_bytes(base, "grib_rest", rest, has_rest) &&
                         read_bytes(base, "grib_data", out.data, out.has_data);
  if (are_bytes && !has_sections)
    why = {.code = errc::no_sections};
  else if (!are_bytes || !read_message_sections(sections, out.from) || !read_rest(rest, out))
    why = {.code = errc::bad_sections};
  return why ? stored_sections{} : out;
}

}  // namespace bridge::grib
}  // namespace v0
}  // namespace tgmap
