// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

#include "constant/json/token_source.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant::json {

/// The powers of ten that a double can represent.
inline constexpr double exact_powers_of_ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                                 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/// Returns the value of a digit, or more than 9 for other characters.
inline unsigned digit_value(char c) noexcept { return static_cast<unsigned char>(c) - unsigned{'0'}; }

// Eight digits at once.
inline std::uint64_t load_eight(const char* from) noexcept {
  std::uint64_t out;
  std::memcpy(&out, from, 8);
  return std::endian::native == std::endian::little ? out : __builtin_bswap64(out);
}
inline bool are_eight_digits(std::uint64_t bytes) noexcept {
  return ((bytes & 0xF0F0F0F0F0F0F0F0) | (((bytes + 0x0606060606060606) & 0xF0F0F0F0F0F0F0F0) >> 4)) ==
         0x3333333333333333;
}
inline std::uint64_t value_of_eight(std::uint64_t bytes) noexcept {
  bytes = (bytes & 0x0F0F0F0F0F0F0F0F) * 2561 >> 8;
  bytes = (bytes & 0x00FF00FF00FF00FF) * 6553601 >> 16;
  return (bytes & 0x0000FFFF0000FFFF) * 42949672960001 >> 32;
}

/// Appends the digits at `at` to a number. Returns the first byte after them.
inline const char* take_digits(const char* at, std::uint64_t& number) noexcept {
  for (unsigned digit; (digit = digit_value(*at)) <= 9; ++at) number = number * 10 + digit;
  return at;
}

/// Parses a number whose digits fit in 53 bits and whose power of ten is exact, so that one multiplication or division
/// rounds correctly. Returns the end of the number, or null for other numbers and texts. 8 bytes after the number must
/// be readable.
inline const char* parse_plain_number(const char* at, double& out) noexcept {
  const bool negative = *at == '-';
  if (negative) ++at;
  const char* const begin = at;
  std::uint64_t digits = digit_value(*at);
  if (digits > 9) return nullptr;
  ++at;
  if (digits != 0)
    at = take_digits(at, digits);
  else if (digit_value(*at) <= 9)
    return nullptr;
  std::int64_t power = 0;
  std::int64_t count = at - begin;
  bool is_integer = true;
  if (*at == '.') {
    const char* const fraction = ++at;
    is_integer = false;
    if (const std::uint64_t bytes = load_eight(at); are_eight_digits(bytes)) {
      digits = digits * 100'000'000 + value_of_eight(bytes);
      at += 8;
    }
    at = take_digits(at, digits);
    power = fraction - at;
    if (power == 0) return nullptr;
    count -= power;
  }
  if (count > 19) return nullptr;  // `digits` may have overflowed
  if ((*at | 0x20) == 'e') {
    ++at;
    is_integer = false;
    const bool is_negative_exponent = *at == '-';
    if (is_negative_exponent || *at == '+') ++at;
    const char* const exponent = at;
    std::uint64_t shift = 0;
    at = take_digits(at, shift);
    if (at == exponent || at - exponent > 4) return nullptr;
    power += is_negative_exponent ? -static_cast<std::int64_t>(shift) : static_cast<std::int64_t>(shift);
  }
  if (!is_terminator(*at)) return nullptr;
  if (digits > std::uint64_t{1} << 53 || power < -22 || power > 22) {
    if (!is_integer) return nullptr;
  }
  double value = static_cast<double>(digits);  // rounds large integers to the nearest
  if (power < 0)
    value /= exact_powers_of_ten[-power];
  else
    value *= exact_powers_of_ten[power];
  if (negative && !(is_integer && digits == 0)) value = -value;  // Vespa reads integers as integers: -0 is 0
  out = value;
  return at;
}

/// Parses any number of RFC 8259 and rounds it to the nearest double, or to infinity. Returns nothing for other texts.
/// Complexity: O(text).
std::optional<double> parse_number(std::string_view) noexcept;

/// Parses a number, or "nan", "inf" or "infinity" in any case with an optional sign.
std::optional<double> parse_number_in_string(std::string_view) noexcept;

}  // namespace constant::json
}  // namespace v0
}  // namespace tgmap
