// SPDX-License-Identifier: Apache-2.0
#include "constant/json/number.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>

namespace tgmap {
inline namespace v0 {
namespace constant::json {

namespace {

constexpr std::int64_t max_exponent = 1'000'000'000'000'000;  // more than any text has digits

/// The properties of a number of RFC 8259.
struct number_properties {
  bool is_valid = false, is_integer = true, is_zero = true;
  std::int64_t magnitude = 0;  ///< the power of ten of the first digit that is not 0
};

number_properties analyze_number(std::string_view text) noexcept {
  number_properties out;
  std::size_t i = 0;
  const auto is_digit = [&] { return i < text.size() && digit_value(text[i]) <= 9; };
  if (i < text.size() && text[i] == '-') ++i;
  if (!is_digit()) return out;
  const std::size_t begin = i;
  while (is_digit()) ++i;
  if (text[begin] == '0' && i - begin > 1) return out;
  if (text[begin] != '0') {
    out.is_zero = false;
    out.magnitude = static_cast<std::int64_t>(i - begin) - 1;
  }
  if (i < text.size() && text[i] == '.') {
    out.is_integer = false;
    const std::size_t fraction = ++i;
    for (; is_digit(); ++i)
      if (out.is_zero && text[i] != '0') {
        out.is_zero = false;
        out.magnitude = -static_cast<std::int64_t>(i - fraction) - 1;
      }
    if (i == fraction) return out;
  }
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    out.is_integer = false;
    ++i;
    const bool is_negative_exponent = i < text.size() && text[i] == '-';
    if (i < text.size() && (text[i] == '-' || text[i] == '+')) ++i;
    if (!is_digit()) return out;
    std::int64_t shift = 0;
    for (; is_digit(); ++i)
      shift = std::min(max_exponent, shift * 10 + static_cast<std::int64_t>(digit_value(text[i])));
    out.magnitude += is_negative_exponent ? -shift : shift;
  }
  out.is_valid = i == text.size();
  return out;
}

bool equals_ignoring_case(std::string_view text, std::string_view word) noexcept {
  return std::equal(text.begin(), text.end(), word.begin(), word.end(),
                    [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a + ('a' - 'A') : a) == b; });
}

}  // namespace

std::optional<double> parse_number(std::string_view text) noexcept {
  const number_properties is = analyze_number(text);
  if (!is.is_valid) return {};
  const double sign = text.front() == '-' ? -1 : 1;
  if (is.is_zero) return is.is_integer ? 0.0 : std::copysign(0.0, sign);
  double out = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (error == std::errc::result_out_of_range)
    return std::copysign(is.magnitude > 0 ? std::numeric_limits<double>::infinity() : 0.0, sign);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  return out;
}

std::optional<double> parse_number_in_string(std::string_view text) noexcept {
  if (text.empty()) return {};
  if (const auto number = parse_number(text)) return number;
  const bool negative = text.front() == '-';
  const std::string_view word = negative || text.front() == '+' ? text.substr(1) : text;
  double out = 0;
  if (equals_ignoring_case(word, "inf") || equals_ignoring_case(word, "infinity"))
    out = std::numeric_limits<double>::infinity();
  else if (equals_ignoring_case(word, "nan"))
    out = std::numeric_limits<double>::quiet_NaN();
  else
    return {};
  return std::copysign(out, negative ? -1 : 1);
}

}  // namespace constant::json
}  // namespace v0
}  // namespace tgmap
