// SPDX-License-Identifier: Apache-2.0
#include "query/number.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <limits>

namespace tgmap::query {

namespace {

using order = std::partial_ordering;

order reverse(order o) noexcept { return std::is_lt(o) ? order::greater : std::is_gt(o) ? order::less : o; }

order compare_integers(const number& a, const number& b) noexcept {
  if (a.is_negative != b.is_negative) return a.is_negative ? order::less : order::greater;
  // The magnitude of -2^64 is 0. Minus one it wraps to the largest, and the others keep their order.
  return a.is_negative ? b.magnitude - 1 <=> a.magnitude - 1 : a.magnitude <=> b.magnitude;
}

order compare_mixed(const number& integer, const number& floating) noexcept {
  const double real = floating.real;
  if (std::isnan(real)) return order::unordered;
  if (real >= 0x1p64) return order::less;
  if (real < -0x1p64) return order::greater;
  const double toward_zero = std::trunc(real);
  const bool is_negative = toward_zero < 0;
  const double magnitude = std::fabs(toward_zero);
  const number truncated{.magnitude = magnitude >= 0x1p64 ? 0 : static_cast<std::uint64_t>(magnitude),
                         .is_negative = is_negative};
  const order o = compare_integers(integer, truncated);
  if (o != order::equivalent) return o;
  return toward_zero == real ? 0 <=> floating.beyond : toward_zero <=> real;
}

order compare_floating(const number& a, const number& b) noexcept {
  const order o = a.real <=> b.real;
  return o == order::equivalent ? a.beyond <=> b.beyond : o;
}

/// Returns a decimal number without sign that is too small or too large for double.
number limit_of(std::string_view digits) noexcept {
  constexpr number large{.real = std::numeric_limits<double>::max(), .is_integer = false, .beyond = 1};
  constexpr number small{.real = 0, .is_integer = false, .beyond = 1};
  const std::size_t first = digits.find_first_not_of("0.");
  const std::size_t e = std::min(digits.find_first_of("eE"), digits.size());
  if (first >= e) return number::of(0.0);
  long exponent = 0;
  if (e != digits.size()) {
    const bool positive = digits.substr(e + 1).starts_with('+');
    const auto read = std::from_chars(digits.data() + e + 1 + positive, digits.data() + digits.size(), exponent);
    if (read.ec != std::errc{}) return digits[e + 1] == '-' ? small : large;
  }
  const std::string_view mantissa = digits.substr(0, e);
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  const long digits_before_point = static_cast<long>(point) - static_cast<long>(first);
  return digits_before_point + exponent > 0 ? large : small;
}

}  // namespace

order compare(const number& a, const number& b) noexcept {
  if (a.is_integer) return b.is_integer ? compare_integers(a, b) : compare_mixed(a, b);
  return b.is_integer ? reverse(compare_mixed(b, a)) : compare_floating(a, b);
}

std::optional<number> read_number(std::string_view text) noexcept {
  const char* const end = text.data() + text.size();
  const bool negative = text.starts_with('-');
  const std::string_view digits = text.substr(negative ? 1 : 0);
  // from_chars would also accept "inf" and "nan".
  if (digits.empty() || std::string_view("0123456789.").find(digits.front()) == digits.npos) return std::nullopt;

  number out{.is_negative = negative};
  const auto integer = std::from_chars(digits.data(), end, out.magnitude);
  if (integer.ec == std::errc{} && integer.ptr == end) {
    out.is_negative = negative && out.magnitude != 0;
    return out;
  }
  out = number::of(0.0);
  const auto real = std::from_chars(text.data(), end, out.real);
  if (real.ptr != end) return std::nullopt;
  if (real.ec == std::errc::result_out_of_range) out = limit_of(digits);
  if (real.ec != std::errc{} && negative) {
    out.real = -out.real;
    out.beyond = static_cast<std::int8_t>(-out.beyond);
  }
  return out;
}

std::string decimal_digits(std::string_view text) {
  constexpr int max_exponent = 400;
  const bool negative = text.starts_with('-');
  const std::size_t e = std::min(text.find_first_of("eE"), text.size());
  int exponent = 0;
  if (e != text.size()) {
    const bool positive = text.substr(e + 1).starts_with('+');
    const auto read = std::from_chars(text.data() + e + 1 + positive, text.data() + text.size(), exponent);
    if (read.ec != std::errc{} || exponent > max_exponent || exponent < -max_exponent) return {};
  }
  const std::string_view mantissa = text.substr(negative ? 1 : 0, e - (negative ? 1 : 0));
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  std::string digits(mantissa.substr(0, point));
  if (point != mantissa.size()) digits += mantissa.substr(point + 1);
  auto before_point = static_cast<std::ptrdiff_t>(point) + exponent;
  if (before_point < 0) {
    digits.insert(0, static_cast<std::size_t>(-before_point), '0');
    before_point = 0;
  }
  const auto whole = static_cast<std::size_t>(before_point);
  if (digits.size() < whole) digits.append(whole - digits.size(), '0');
  std::string out = digits.substr(0, whole), fraction = digits.substr(whole);
  out.erase(0, std::min(out.find_first_not_of('0'), out.size()));
  fraction.erase(fraction.find_last_not_of('0') + 1);
  if (out.empty()) out = "0";
  if (!fraction.empty()) out += '.' + fraction;
  return negative && out != "0" ? '-' + out : out;
}

std::optional<number> number_of(const cbor_view& item) noexcept {
  if (const auto n = item.get<std::uint64_t>()) return number::of(*n);
  if (const auto n = item.get<std::int64_t>()) return number::of(*n);
  const auto real = item.get<double>();
  if (!real) return std::nullopt;
  if (item.kind() != cbor_kind::integer) return number::of(*real);
  // Below -2^63: the value is -1 - n, and the eight bytes after the first one hold n.
  std::uint64_t n = 0;
  for (const std::byte b : item.bytes_to_end().subspan(1, 8)) n = n << 8 | std::to_integer<std::uint64_t>(b);
  return number{.magnitude = n + 1, .is_negative = true};
}

}  // namespace tgmap::query
