// SPDX-License-Identifier: Apache-2.0
#include "constant/write/java_double.hpp"

#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstring>

namespace tgmap {
inline namespace v0 {
namespace constant {

namespace {

/// The digits of a number, the point behind the first, and the exponent of ten.
struct decimal_digits {
  char digits[20];
  std::size_t count = 0;
  int exponent = 0;
};

decimal_digits digits_of(double magnitude) noexcept {
  char text[32];
  const auto scientific = std::chars_format::scientific;
  const char* end = std::to_chars(text, text + sizeof text, magnitude, scientific).ptr;
  // Of one digit Java takes the second one, too, when that is nearer: 4.9E-324.
  if (text[1] == 'e') end = std::to_chars(text, text + sizeof text, magnitude, scientific, 1).ptr;
  decimal_digits out;
  const char* at = text;
  for (; *at != 'e'; ++at)
    if (*at != '.') out.digits[out.count++] = *at;
  while (out.count > 1 && out.digits[out.count - 1] == '0') --out.count;
  at += at[1] == '+' ? 2 : 1;  // from_chars takes no plus
  std::from_chars(at, end, out.exponent);
  return out;
}

char* put_digits(char* to, const decimal_digits& from, std::size_t begin, std::size_t end) noexcept {
  for (std::size_t i = begin; i < end; ++i) *to++ = i < from.count ? from.digits[i] : '0';
  return to;
}

}  // namespace

char* put_java_double(char* to, double value) noexcept {
  if (std::signbit(value)) *to++ = '-';
  const double magnitude = std::abs(value);
  decimal_digits digits;
  if (magnitude == 0)
    digits.digits[digits.count++] = '0';
  else
    digits = digits_of(magnitude);
  const bool plain = magnitude == 0 || (magnitude >= 1e-3 && magnitude < 1e7);
  if (plain && digits.exponent < 0) {  // 0.00123
    *to++ = '0';
    *to++ = '.';
    for (int i = digits.exponent + 1; i < 0; ++i) *to++ = '0';
    return put_digits(to, digits, 0, digits.count);
  }
  const std::size_t whole = plain ? static_cast<std::size_t>(digits.exponent) + 1 : 1;
  to = put_digits(to, digits, 0, whole);
  *to++ = '.';
  to = put_digits(to, digits, whole, digits.count > whole ? digits.count : whole + 1);
  if (plain) return to;
  *to++ = 'E';
  return std::to_chars(to, to + 5, digits.exponent).ptr;
}

}  // namespace constant
}  // namespace v0
}  // namespace tgmap
