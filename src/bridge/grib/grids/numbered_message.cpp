// SPDX-License-Identifier: Apache-2.0
#include "bridge/grib/grids/numbered_message.hpp"

#include <algorithm>
#include <string_view>

namespace tgmap::bridge::grib {

namespace {

constexpr std::size_t bytes_per_value = 4;

/// A `message_builder` appends big-endian numbers to a message.
class message_builder {
 public:
  explicit message_builder(std::size_t size) { bytes_.reserve(size); }

  void add(std::uint64_t number, std::size_t size) {
    while (size-- > 0) bytes_.push_back(static_cast<std::byte>(number >> (8 * size) & 0xFFU));
  }
  void add(std::string_view text) {
    for (const char c : text) bytes_.push_back(static_cast<std::byte>(c));
  }
  void add(byte_view bytes) { bytes_.insert(bytes_.end(), bytes.begin(), bytes.end()); }
  void add_zeros(std::size_t count) { bytes_.resize(bytes_.size() + count); }
  void add_numbers(std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) add(i, bytes_per_value);
  }
  std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  std::vector<std::byte> bytes_{};
};

/// Simple packing in 32 bits, whose reference value and scale factors are 0, has the numbers themselves.
constexpr unsigned bits = 8 * bytes_per_value;

std::vector<std::byte> make_edition_1(const grid_section& of) {
  constexpr std::size_t indicator = 8, product = 28, data_header = 11, end = 4, max_size = 0x7FFFFF;
  const std::uint64_t packed = bytes_per_value * of.points;
  const std::size_t padding = (data_header + packed) % 2;
  if (packed > max_size - of.bytes.size() - indicator - product - data_header - padding - end) return {};
  const std::size_t data = data_header + static_cast<std::size_t>(packed) + padding;
  const std::size_t total = indicator + product + of.bytes.size() + data + end;
  message_builder out(total);
  out.add("GRIB");
  out.add(total, 3);
  out.add(1, 1);

  constexpr unsigned table = 128, centre = 98, no_predefined_grid = 255, has_grid = 0x80, temperature = 130;
  constexpr unsigned pressure_level = 100, century = 21;
  out.add(product, 3);
  for (const unsigned octet : {table, centre, 1U, no_predefined_grid, has_grid, temperature, pressure_level})
    out.add(octet, 1);
  out.add(500, 2);                                                          // the level
  for (const unsigned octet : {1U, 1U, 1U, 0U, 0U, 1U}) out.add(octet, 1);  // the time, and its unit
  out.add_zeros(6);                                                         // periods and averages
  out.add(century, 1);
  out.add_zeros(3);  // the centre's part, the decimal scale factor

  out.add(of.bytes);
  out.add(data, 3);
  out.add(8 * padding, 1);  // flags, and the number of unused bits
  out.add_zeros(6);         // the binary scale factor and the reference value
  out.add(bits, 1);
  out.add_numbers(of.points);
  out.add_zeros(padding);
  out.add("7777");
  return out.take();
}

std::vector<std::byte> make_edition_2(const grid_section& of) {
  constexpr std::size_t indicator = 16, identification = 21, product = 34, packing = 21, bitmap = 6, data_header = 5;
  const std::size_t data = data_header + bytes_per_value * static_cast<std::size_t>(of.points);
  const std::size_t total = indicator + identification + of.bytes.size() + product + packing + bitmap + data + 4;
  message_builder out(total);
  out.add("GRIB");
  out.add(2, 4);  // no discipline, the edition
  out.add(total, 8);

  constexpr unsigned centre = 98, tables = 5, year = 2000, missing = 255, pressure_level = 100;
  out.add(identification, 4);
  out.add(1, 1);
  out.add(centre, 2);
  out.add(0, 2);
  for (const unsigned octet : {tables, 0U, 1U}) out.add(octet, 1);
  out.add(year, 2);
  for (const unsigned octet : {1U, 1U, 0U, 0U, 0U, 0U, 2U}) out.add(octet, 1);

  out.add(of.bytes);
  out.add(product, 4);
  out.add(4, 1);
  out.add_zeros(4);  // no list; template 0: an analysis or forecast
  for (const unsigned octet : {0U, 0U, 2U, missing, missing}) out.add(octet, 1);
  out.add_zeros(3);
  out.add(1, 1);  // hours
  out.add_zeros(4);
  out.add(pressure_level, 1);
  out.add_zeros(1);
  out.add(50000, 4);
  for (int i = 0; i < 6; ++i) out.add(missing, 1);  // no second surface

  out.add(packing, 4);
  out.add(5, 1);
  out.add(of.points, 4);
  out.add_zeros(10);  // simple packing; reference value, scale factors
  out.add(bits, 1);
  out.add(0, 1);
  out.add(bitmap, 4);
  out.add(6, 1);
  out.add(missing, 1);  // no bitmap
  out.add(data, 4);
  out.add(7, 1);
  out.add_numbers(of.points);
  out.add("7777");
  return out.take();
}

}  // namespace

std::vector<std::byte> make_numbered_message(const grid_section& of) {
  constexpr std::uint64_t max_points = UINT32_MAX / bytes_per_value - 2;
  if (of.points == 0 || of.points > max_points) return {};
  return of.edition == 1 ? make_edition_1(of) : make_edition_2(of);
}

}  // namespace tgmap::bridge::grib
