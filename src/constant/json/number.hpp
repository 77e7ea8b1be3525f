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
namespace constant {
namespace json {

/// Powers of ten that a double holds exactly.
inline constexpr double exact_powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                          1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

inline unsigned digit_of(char c) noexcept { return static_cast<unsigned char>(c) - unsigned{'0'}; }  // above 9: none

/// Eight bytes at once, where they are all digits.
inline std::uint64_t load_eight(const char* from) noexcept {
  std::uint64_t out;
  std::memcpy(&out, from, 8);
  return std::endian::native == std::endian::little ? out : __builtin_bswap64(out);
}
inline bool eight_digits(std::uint64_t bytes) noexcept {
  return ((bytes & 0xF0F0F0F0F0F0F0F0) | (((bytes + 0x0606060606060606) & 0xF0F0F0F0F0F0F0F0) >> 4)) ==
         0x3333333333333333;
}
inline std::uint64_t value_of_eight(std::uint64_t bytes) noexcept {
  bytes = (bytes & 0x0F0F0F0F0F0F0F0F) * 2561 >> 8;
  bytes = (bytes & 0x00FF00FF00FF00FF) * 6553601 >> 16;
  return (bytes & 0x0000FFFF0000FFFF) * 42949672960001 >> 32;
}

/// A number whose digits fit 53 bits and whose power of ten is exact: one multiplication or division rounds it, once.
/// Where it ends, behind which is room for 8 bytes; null: it is another number, or none.
inline const char* plain_number(const char* at, double& out) noexcept {
  const bool negative = *at == '-';
  if (negative) ++at;
  const char* const begin = at;
  std::uint64_t digits = digit_of(*at);
  if (digits > 9) return nullptr;
  unsigned digit;
  if (digits == 0) {
    ++at;
    if (digit_of(*at) <= 9) return nullptr;
  } else {
    while ((digit = digit_of(*++at)) <= 9) digits = digits * 10 + digit;
  }
  std::int64_t power = 0;
  std::int64_t count = at - begin;
  bool whole = true;
  if (*at == '.') {
    const char* const fraction = ++at;
    whole = false;
    if (const std::uint64_t bytes = load_eight(at); eight_digits(bytes)) {
      digits = digits * 100'000'000 + value_of_eight(bytes);
      at += 8;
    }
    while ((digit = digit_of(*at)) <= 9) {
      digits = digits * 10 + digit;
      ++at;
    }
    power = fraction - at;
    if (power == 0) return nullptr;
    count -= power;
  }
  if (count > 19) return nullptr;  // digits may have wrapped
  if ((*at | 0x20) == 'e') {
    ++at;
    whole = false;
    const bool down = *at == '-';
    if (down || *at == '+') ++at;
    const char* const exponent = at;
    std::int64_t shift = 0;
    while ((digit = digit_of(*at)) <= 9 && at - exponent < 4) {
      shift = shift * 10 + static_cast<std::int64_t>(digit);
      ++at;
    }
    if (at == exponent) return nullptr;
    power += down ? -shift : shift;
  }
  if (!is_terminator(*at)) return nullptr;
  if (digits > std::uint64_t{1} << 53 || power < -22 || power > 22) {
    if (!whole) return nullptr;
  }
  double value = static_cast<double>(digits);  // of integers to the nearest
  if (power < 0)
    value /= exact_powers[-power];
  else
    value *= exact_powers[power];
  if (negative && !(whole && digits == 0)) value = -value;  // upstream reads integers as integers: -0 is 0
  out = value;
  return at;
}

/// Any number of RFC 8259, to the nearest double: infinite beyond the largest. Nothing: it is none. O(text).
std::optional<double> any_number(std::string_view) noexcept;

/// What a string stands for: a number, or one of the words for what is not finite, in any case.
std::optional<double> number_in_string(std::string_view) noexcept;

}  // namespace json
}  // namespace constant
}  // namespace v0
}  // namespace tgmap
