// SPDX-License-Identifier: Apache-2.0
#include "select/number.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>

namespace tgmap::select {

namespace {

using order = std::partial_ordering;

order reversed(order o) noexcept { return std::is_lt(o) ? order::greater : std::is_gt(o) ? order::less : o; }

order compare_whole(const number& a, const number& b) noexcept {
  if (a.negative != b.negative) return a.negative ? order::less : order::greater;
  // -2^64 has the magnitude 0 here: one less makes it the largest, and keeps the order of the others.
  return a.negative ? b.magnitude - 1 <=> a.magnitude - 1 : a.magnitude <=> b.magnitude;
}

order compare_mixed(const number& whole, double real) noexcept {
  if (std::isnan(real)) return order::unordered;
  if (real >= 0x1p64) return order::less;
  if (real < -0x1p64) return order::greater;
  const double toward_zero = std::trunc(real);
  const bool below = toward_zero < 0;
  const double size = std::fabs(toward_zero);
  const number near{.magnitude = size >= 0x1p64 ? 0 : static_cast<std::uint64_t>(size), .negative = below};
  const order o = compare_whole(whole, near);
  return o == order::equivalent ? toward_zero <=> real : o;
}

/// Returns 0 or infinity for a decimal number outside the range of double.
double beyond_range(std::string_view digits) noexcept {
  const std::size_t e = std::min(digits.find_first_of("eE"), digits.size());
  long exponent = 0;
  if (e != digits.size()) {
    const bool positive = digits.substr(e + 1).starts_with('+');
    const auto read = std::from_chars(digits.data() + e + 1 + positive, digits.data() + digits.size(), exponent);
    if (read.ec != std::errc{}) return digits[e + 1] == '-' ? 0 : HUGE_VAL;
  }
  const std::string_view mantissa = digits.substr(0, e);
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  const std::size_t first = mantissa.find_first_not_of("0.");
  if (first == mantissa.npos) return 0;
  const long before_point = static_cast<long>(point) - static_cast<long>(first);  // of the first digit that counts
  return before_point + exponent > 0 ? HUGE_VAL : 0;
}

}  // namespace

order compare(const number& a, const number& b) noexcept {
  if (a.whole) return b.whole ? compare_whole(a, b) : compare_mixed(a, b.real);
  return b.whole ? reversed(compare_mixed(b, a.real)) : a.real <=> b.real;
}

std::optional<number> read_number(std::string_view text) noexcept {
  const char* const end = text.data() + text.size();
  const bool negative = text.starts_with('-');
  const std::string_view digits = text.substr(negative ? 1 : 0);
  // Else from_chars would take "inf" and "nan" too.
  if (digits.empty() || !(std::string_view("0123456789.").find(digits.front()) != digits.npos)) return std::nullopt;

  number out{.negative = negative};
  const auto whole = std::from_chars(digits.data(), end, out.magnitude);
  if (whole.ec == std::errc{} && whole.ptr == end) {
    out.negative = negative && out.magnitude != 0;
    return out;
  }
  out = number::of(0.0);
  const auto real = std::from_chars(text.data(), end, out.real);
  if (real.ptr != end) return std::nullopt;
  if (real.ec == std::errc::result_out_of_range) out.real = beyond_range(digits);
  if (real.ec != std::errc{} && negative) out.real = -out.real;
  return out;
}

std::optional<number> number_of(const cbor_view& item) noexcept {
  if (const auto n = item.get<std::uint64_t>()) return number::of(*n);
  if (const auto n = item.get<std::int64_t>()) return number::of(*n);
  const auto real = item.get<double>();
  if (!real) return std::nullopt;
  if (item.kind() != cbor_kind::integer) return number::of(*real);
  // Below -2^63: the item is -1 - n, n in the eight bytes behind its first.
  std::uint64_t n = 0;
  for (const std::byte b : item.bytes_to_end().subspan(1, 8)) n = n << 8 | std::to_integer<std::uint64_t>(b);
  return number{.magnitude = n + 1, .negative = true};
}

}  // namespace tgmap::select
