// SPDX-License-Identifier: Apache-2.0
#include "constant/json/cell_formatter.hpp"

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "constant/model/big_endian.hpp"
#include "core/text/hex.hpp"
#include "json/number.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant::json {

namespace {

constexpr int min_power = -48, max_power = 48;

/// Powers of ten, rounded to the nearest double.
constexpr std::array<double, max_power - min_power + 1> powers_of_ten = {
    1e-48, 1e-47, 1e-46, 1e-45, 1e-44, 1e-43, 1e-42, 1e-41, 1e-40, 1e-39, 1e-38, 1e-37, 1e-36, 1e-35,
    1e-34, 1e-33, 1e-32, 1e-31, 1e-30, 1e-29, 1e-28, 1e-27, 1e-26, 1e-25, 1e-24, 1e-23, 1e-22, 1e-21,
    1e-20, 1e-19, 1e-18, 1e-17, 1e-16, 1e-15, 1e-14, 1e-13, 1e-12, 1e-11, 1e-10, 1e-9,  1e-8,  1e-7,
    1e-6,  1e-5,  1e-4,  1e-3,  1e-2,  1e-1,  1e0,   1e1,   1e2,   1e3,   1e4,   1e5,   1e6,   1e7,
    1e8,   1e9,   1e10,  1e11,  1e12,  1e13,  1e14,  1e15,  1e16,  1e17,  1e18,  1e19,  1e20,  1e21,
    1e22,  1e23,  1e24,  1e25,  1e26,  1e27,  1e28,  1e29,  1e30,  1e31,  1e32,  1e33,  1e34,  1e35,
    1e36,  1e37,  1e38,  1e39,  1e40,  1e41,  1e42,  1e43,  1e44,  1e45,  1e46,  1e47,  1e48};

constexpr double power_of_ten(int exponent) noexcept {
  return powers_of_ten[static_cast<std::size_t>(exponent - min_power)];
}

/// Returns the float whose shortest text is that of a finite cell: the fewest digits, at most 4, that read back as the
/// cell both in a reader that drops the lower bits, such as Vespa, and in one that rounds to the nearest.
float shortest_float(bfloat16 cell) noexcept {
  const std::uint32_t upper = static_cast<std::uint32_t>(cell.bits & 0x7fffu) << 16;
  if (upper == 0) return static_cast<float>(cell);
  const auto exact = static_cast<double>(std::bit_cast<float>(upper));
  // The range of numbers that round to a float with these upper bits and are nearer to this cell than to the next one.
  // The margin below is less than half the distance of floats, and more than the rounding error of doubles.
  const double min = exact * (1 - 0x1p-27), max = std::bit_cast<float>(upper | 0x7fff);
  int exponent = static_cast<int>((static_cast<int>(upper >> 23) - 127) * 0.30103);  // of ten; wrong by 1, or by 7
  double scaled = min * power_of_ten(3 - exponent);                                  // for subnormal cells
  while (scaled >= 10000) scaled = min * power_of_ten(3 - ++exponent);
  while (scaled < 1000) scaled = min * power_of_ten(3 - --exponent);
  const double limit = max * power_of_ten(3 - exponent);
  double digits = 0;
  for (const double step : {1000., 100., 10., 1.}) {
    digits = std::ceil(scaled * (1 / step)) * step;
    if (digits <= limit) break;
  }
  // With so few digits, the error of the product is too small to change the float.
  const auto out = static_cast<float>(digits * power_of_ten(exponent - 3));
  return (cell.bits & 0x8000u) != 0 ? -out : out;
}

template <class Cell>
Cell cell_at(const std::byte* cells, std::size_t i) noexcept {
  Cell out;
  std::memcpy(&out, cells + i * sizeof out, sizeof out);
  return out;
}

char* put_word(char* to, std::string_view word) noexcept {
  std::memcpy(to, word.data(), word.size());
  return to + word.size();
}

/// Writes zero with its sign, NaN or infinity.
template <class Float>
char* put_special(char* to, Float value) noexcept {
  const bool negative = std::signbit(value);
  if (value == 0) return put_word(to, negative ? "-0.0" : "0");  // readers take -0 for the integer 0
  if (std::isnan(value)) return put_word(to, negative ? "\"-NaN\"" : "\"NaN\"");
  return put_word(to, negative ? "\"-Infinity\"" : "\"Infinity\"");
}

/// Larger numbers need an exponent: Vespa reads digits alone as a 64-bit integer, and fails beyond.
constexpr double max_integer = 1e18;

/// Readers round the text to a double, and that to a float. This is the only float for which that fails: the double of
/// its shortest text, 7.038531e-26, is nearer to the next float.
constexpr float rounded_twice = 0x1.5c87fap-84f;

struct shortest_format {
  static constexpr std::size_t max_size = 26;  // -1.2345678901234567e-308 and a comma

  static char* put(char* to, double value) noexcept {
    if (value == 0 || !std::isfinite(value)) return put_special(to, value);
    if (std::abs(value) >= max_integer)
      return std::to_chars(to, to + max_size, value, std::chars_format::scientific).ptr;
    return std::to_chars(to, to + max_size, value).ptr;
  }
  static char* put(char* to, float value) noexcept {  // digits alone are never more than 15
    if (value == 0 || !std::isfinite(value)) return put_special(to, value);
    if (std::abs(value) == rounded_twice) return put_word(to, value < 0 ? "-7.0385307e-26" : "7.0385307e-26");
    return std::to_chars(to, to + max_size, value).ptr;
  }
  static char* put(char* to, bfloat16 cell) noexcept {
    const auto value = static_cast<float>(cell);
    return put(to, std::isfinite(value) ? shortest_float(cell) : value);
  }
  static char* put(char* to, std::int8_t cell) noexcept { return std::to_chars(to, to + max_size, int{cell}).ptr; }
};

struct upstream_format {
  static constexpr std::size_t max_size = 26;

  template <class Cell>
  static char* put(char* to, Cell cell) noexcept {
    if constexpr (std::is_same_v<Cell, std::int8_t>)
      return shortest_format::put(to, cell);
    else if constexpr (std::is_same_v<Cell, bfloat16>)
      return put(to, static_cast<float>(cell));
    else
      return std::isfinite(cell) ? json_text::write_float(to, static_cast<double>(cell), json_text::java_notation)
                                 : put_word(to, "null");
  }
};

template <class Format, class Cell>
char* put_cells(char* to, const std::byte* cells, std::size_t count) noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) *to++ = ',';
    to = Format::put(to, cell_at<Cell>(cells, i));
  }
  return to;
}

template <class Format>
cell_formatter formatter_of(dtype cells) noexcept {
  switch (cells) {
    case dtype::float64: return {put_cells<Format, double>, Format::max_size};
    case dtype::float32: return {put_cells<Format, float>, Format::max_size};
    case dtype::bfloat16: return {put_cells<Format, bfloat16>, Format::max_size};
    default: return {put_cells<Format, std::int8_t>, Format::max_size};
  }
}

constexpr auto hex_pairs = [] {
  std::array<std::array<char, 2>, 256> out{};
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = core::hex_digits(static_cast<std::uint8_t>(i), true);
  return out;
}();

/// Copies the big-endian bytes into the second half of the output, where each is read before digits overwrite it.
template <dtype type, std::size_t width>
char* put_hex(char* to, const std::byte* cells, std::size_t count) noexcept {
  auto* const bytes = reinterpret_cast<std::byte*>(to) + count * width;
  copy_big_endian(type, bytes, cells, count);
  for (std::size_t i = 0; i < count * width; ++i, to += 2) {
    const auto& pair = hex_pairs[std::to_integer<std::size_t>(bytes[i])];
    std::memcpy(to, pair.data(), 2);
  }
  return to;
}

}  // namespace

cell_formatter number_formatter(dtype cells, number_style style) noexcept {
  return style == number_style::upstream ? formatter_of<upstream_format>(cells) : formatter_of<shortest_format>(cells);
}

cell_formatter hex_formatter(dtype cells) noexcept {
  switch (cells) {
    case dtype::float64: return {put_hex<dtype::float64, 8>, 16};
    case dtype::float32: return {put_hex<dtype::float32, 4>, 8};
    case dtype::bfloat16: return {put_hex<dtype::bfloat16, 2>, 4};
    default: return {put_hex<dtype::int8, 1>, 2};
  }
}

}  // namespace constant::json
}  // namespace v0
}  // namespace tgmap
