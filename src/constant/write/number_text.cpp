// SPDX-License-Identifier: Apache-2.0
#include "constant/write/number_text.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "constant/big_endian.hpp"
#include "constant/write/bfloat16_text.hpp"
#include "constant/write/java_double.hpp"
#include "core/text/hex.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant {

namespace {

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

/// Zero with its sign, and what is not finite.
template <class Float>
char* put_special(char* to, Float value) noexcept {
  const bool negative = std::signbit(value);
  if (value == 0) return put_word(to, negative ? "-0.0" : "0");  // -0 would be an integer, which has no such zero
  if (std::isnan(value)) return put_word(to, negative ? "\"-NaN\"" : "\"NaN\"");
  return put_word(to, negative ? "\"-Infinity\"" : "\"Infinity\"");
}

/// With an exponent from here on: upstream takes digits alone for an integer of 64 bits, and fails beyond.
constexpr double most_integer = 1e18;

/// Readers take the text for a double, and that for a float. Of all floats this is the only one whose shortest text
/// becomes another one so: 7.038531e-26 is nearer to the next, as a double.
constexpr float rounded_twice = 0x1.5c87fap-84f;

struct shortest_text {
  static constexpr std::size_t most = 26;  // -1.2345678901234567e-308 and a comma

  static char* put(char* to, double value) noexcept {
    if (value == 0 || !std::isfinite(value)) return put_special(to, value);
    if (std::abs(value) >= most_integer) return std::to_chars(to, to + most, value, std::chars_format::scientific).ptr;
    return std::to_chars(to, to + most, value).ptr;
  }
  static char* put(char* to, float value) noexcept {  // digits alone are never more than 15
    if (value == 0 || !std::isfinite(value)) return put_special(to, value);
    if (std::abs(value) == rounded_twice) return put_word(to, value < 0 ? "-7.0385307e-26" : "7.0385307e-26");
    return std::to_chars(to, to + most, value).ptr;
  }
  static char* put(char* to, bfloat16 cell) noexcept {
    const auto value = static_cast<float>(cell);
    return put(to, std::isfinite(value) ? bfloat16_as_text(cell) : value);
  }
  static char* put(char* to, std::int8_t cell) noexcept { return std::to_chars(to, to + most, int{cell}).ptr; }
};

struct upstream_text {
  static constexpr std::size_t most = 26;

  template <class Cell>
  static char* put(char* to, Cell cell) noexcept {
    if constexpr (std::is_same_v<Cell, std::int8_t>)
      return shortest_text::put(to, cell);
    else if constexpr (std::is_same_v<Cell, bfloat16>)
      return put(to, static_cast<float>(cell));
    else
      return std::isfinite(cell) ? put_java_double(to, static_cast<double>(cell)) : put_word(to, "null");
  }
};

template <class Text, class Cell>
char* put_cells(char* to, const std::byte* cells, std::size_t count) noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) *to++ = ',';
    to = Text::put(to, cell_at<Cell>(cells, i));
  }
  return to;
}

template <class Text>
number_text text_of(dtype cells) noexcept {
  switch (cells) {
    case dtype::float64: return {put_cells<Text, double>, Text::most};
    case dtype::float32: return {put_cells<Text, float>, Text::most};
    case dtype::bfloat16: return {put_cells<Text, bfloat16>, Text::most};
    default: return {put_cells<Text, std::int8_t>, Text::most};
  }
}

constexpr auto hex_pairs = [] {
  std::array<std::array<char, 2>, 256> out{};
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = core::hex_digits(static_cast<std::uint8_t>(i), true);
  return out;
}();

/// The big-endian bytes go behind where their digits will be, and are read before digits reach them.
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

number_text number_text_of(dtype cells, number_style style) noexcept {
  return style == number_style::upstream ? text_of<upstream_text>(cells) : text_of<shortest_text>(cells);
}

number_text hex_text_of(dtype cells) noexcept {
  switch (cells) {
    case dtype::float64: return {put_hex<dtype::float64, 8>, 16};
    case dtype::float32: return {put_hex<dtype::float32, 4>, 8};
    case dtype::bfloat16: return {put_hex<dtype::bfloat16, 2>, 4};
    default: return {put_hex<dtype::int8, 1>, 2};
  }
}

}  // namespace constant
}  // namespace v0
}  // namespace tgmap
