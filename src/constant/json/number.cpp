// SPDX-License-Identifier: Apache-2.0
#include "constant/json/number.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>

#include "core/text/parse_number.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant::json {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Returns true if a number that std::from_chars accepts is one of RFC 8259: digits on both sides of a point, and no
/// zeros before other digits.
bool is_json_number(std::string_view text) noexcept {
  if (text.starts_with('-')) text.remove_prefix(1);
  const auto is_digit_at = [&](std::size_t i) { return i < text.size() && digit_value(text[i]) <= 9; };
  const std::size_t point = text.find('.');
  return is_digit_at(0) && !(text[0] == '0' && is_digit_at(1)) && (point == text.npos || is_digit_at(point + 1));
}

/// Returns true if a number is too large for a double, false if it is too small.
bool is_large(std::string_view text) noexcept {
  const std::size_t mantissa_size = std::min(text.find_first_of("eE"), text.size());
  const std::string_view mantissa = text.substr(0, mantissa_size);
  std::string_view power = text.substr(std::min(mantissa_size + 1, text.size()));
  if (power.starts_with('+')) power.remove_prefix(1);
  const auto exponent = core::parse_number<std::int64_t>(power.empty() ? "0" : power);
  if (!exponent) return power.front() != '-';
  const auto point = static_cast<std::int64_t>(std::min(mantissa.find('.'), mantissa.size()));
  const auto first = static_cast<std::int64_t>(mantissa.find_first_of("123456789"));
  return *exponent > first - point;
}

bool equals_ignoring_case(std::string_view text, std::string_view word) noexcept {
  return std::equal(text.begin(), text.end(), word.begin(), word.end(),
                    [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a + ('a' - 'A') : a) == b; });
}

}  // namespace

std::optional<double> parse_number(std::string_view text) noexcept {
  if (!is_json_number(text)) return {};
  double out = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (end != text.data() + text.size()) return {};
  if (error == std::errc::result_out_of_range)
    return std::copysign(is_large(text) ? infinity : 0.0, text.front() == '-' ? -1 : 1);
  if (out == 0 && text.find_first_of(".eE") == text.npos) return 0.0;  // Vespa reads integers as integers: -0 is 0
  return out;
}

std::optional<double> parse_number_in_string(std::string_view text) noexcept {
  if (const auto number = parse_number(text)) return number;
  const bool is_negative = text.starts_with('-');
  if (is_negative || text.starts_with('+')) text.remove_prefix(1);
  const double sign = is_negative ? -1 : 1;
  if (equals_ignoring_case(text, "inf") || equals_ignoring_case(text, "infinity")) return sign * infinity;
  if (equals_ignoring_case(text, "nan")) return std::copysign(std::numeric_limits<double>::quiet_NaN(), sign);
  return {};
}

}  // namespace constant::json
}  // namespace v0
}  // namespace tgmap
