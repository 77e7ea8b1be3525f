// SPDX-License-Identifier: Apache-2.0
// Floating numbers as text, with the fewest digits that read back the same. std::to_chars finds the digits; it does not
// offer the notations that the command, the reference implementation and Vespa use.
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tgmap::json_text {

/// A `float_notation` says where an exponent begins and how it is written.
struct float_notation {
  /// Numbers that get ".0" if they are whole.
  enum class fraction : std::uint8_t { none, without_exponent, all };

  int min_exponent, max_exponent;   ///< of ten; other numbers are written with an exponent
  fraction zero_fraction;           ///< numbers that end with ".0"
  char mark = 'e';                  ///< before the exponent
  bool has_plus = true;             ///< before an exponent that is not negative
  std::size_t exponent_digits = 1;  ///< the fewest
  bool is_java = false;             ///< two digits instead of one if they are nearer: 4.9E-324
};

/// The notation of nlohmann-json and of Python: 1.0, 0.0001, 1e-05, 1e+20.
inline constexpr float_notation json_notation{.min_exponent = -4,
                                              .max_exponent = 14,
                                              .zero_fraction = float_notation::fraction::without_exponent,
                                              .exponent_digits = 2};

/// The notation of the reference implementation: 1.0, 0.00001, 1e-6, 1e+20.
inline constexpr float_notation reference_notation{
    .min_exponent = -5, .max_exponent = 15, .zero_fraction = float_notation::fraction::without_exponent};

/// The notation of the command for people: 1, 0.0001, 1e-05, 1e+20.
inline constexpr float_notation short_notation{
    .min_exponent = -4, .max_exponent = 15, .zero_fraction = float_notation::fraction::none, .exponent_digits = 2};

/// Digits alone: 1, 0.000001, 100000000000000000000.
inline constexpr float_notation plain_notation{
    .min_exponent = -400, .max_exponent = 400, .zero_fraction = float_notation::fraction::none};

/// Double.toString of Java since JDK 19, earlier versions sometimes write more digits: 1.0, 0.001, 1.0E-4, 1.0E10.
inline constexpr float_notation java_notation{.min_exponent = -3,
                                              .max_exponent = 6,
                                              .zero_fraction = float_notation::fraction::all,
                                              .mark = 'E',
                                              .has_plus = false,
                                              .is_java = true};

/// The most characters that `write_float` writes: 327 for the smallest normal number in plain notation.
inline constexpr std::size_t max_float_size = 344;

/// The most characters of an integer.
inline constexpr std::size_t max_integer_size = 20;

/// The digits of a number with the point after the first one, and the exponent of ten.
struct decimal_digits {
  std::array<char, 20> digits;  // only the first `count` are set
  std::size_t count = 0;
  int exponent = 0;
};

/// Returns the fewest digits that identify a finite number that is not negative.
template <std::floating_point T>
decimal_digits digits_of(T magnitude, bool is_java = false) noexcept {
  std::array<char, 32> text;  // d.ddde+dd
  char* const begin = text.data();
  char* const limit = begin + text.size();
  const char* end = std::to_chars(begin, limit, magnitude, std::chars_format::scientific).ptr;
  if (is_java && text[1] == 'e') end = std::to_chars(begin, limit, magnitude, std::chars_format::scientific, 1).ptr;
  decimal_digits out;
  const char* at = begin;
  for (; *at != 'e'; ++at)
    if (*at != '.') out.digits[out.count++] = *at;
  while (out.count > 1 && out.digits[out.count - 1] == '0') --out.count;
  at += at[1] == '+' ? 2 : 1;  // from_chars accepts no plus
  std::from_chars(at, end, out.exponent);
  return out;
}

/// Writes a finite number, and returns the end. `to` has room for `max_float_size` characters.
template <std::floating_point T>
char* write_float(char* to, T finite, const float_notation& how) noexcept {
  const auto put = [&](std::string_view text) { to = std::copy(text.begin(), text.end(), to); };
  const auto put_zeros = [&](int count) { to = std::fill_n(to, std::max(count, 0), '0'); };
  if (std::signbit(finite)) *to++ = '-';
  const decimal_digits number = digits_of(std::fabs(finite), how.is_java);
  const std::string_view digits(number.digits.data(), number.count);
  const bool has_exponent = number.exponent < how.min_exponent || number.exponent > how.max_exponent;
  const int before_point = has_exponent ? 1 : number.exponent + 1;
  if (before_point <= 0) {
    put("0.");
    put_zeros(-before_point);
    put(digits);
  } else if (const auto whole = static_cast<std::size_t>(before_point); digits.size() > whole) {
    put(digits.substr(0, whole));
    *to++ = '.';
    put(digits.substr(whole));
  } else {
    put(digits);
    put_zeros(static_cast<int>(whole - digits.size()));
    using fraction = float_notation::fraction;
    if (how.zero_fraction == fraction::all || (how.zero_fraction == fraction::without_exponent && !has_exponent))
      put(".0");
  }
  if (!has_exponent) return to;
  *to++ = how.mark;
  if (number.exponent < 0)
    *to++ = '-';
  else if (how.has_plus)
    *to++ = '+';
  std::array<char, 4> exponent;
  const auto end = std::to_chars(exponent.data(), exponent.data() + exponent.size(), std::abs(number.exponent)).ptr;
  const auto size = static_cast<std::size_t>(end - exponent.data());
  put_zeros(static_cast<int>(how.exponent_digits) - static_cast<int>(size));
  put({exponent.data(), size});
  return to;
}

}  // namespace tgmap::json_text
