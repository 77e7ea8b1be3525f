// SPDX-License-Identifier: Apache-2.0
#include "query/number_steps.hpp"

#include <algorithm>
#include <charconv>

#include "query/number.hpp"

namespace tgmap::query {

std::optional<decimal> decimal::read(std::string_view text) {
  if (!read_number(text)) return std::nullopt;
  const std::string digits = decimal_digits(text);
  if (digits.empty()) return std::nullopt;
  const std::size_t begin = digits.starts_with('-') ? 1 : 0, point = std::min(digits.find('.'), digits.size());
  decimal out{.is_negative = begin != 0, .whole = digits.substr(begin, point - begin)};
  if (point != digits.size()) out.fraction = digits.substr(point + 1);
  return out;
}

std::strong_ordering decimal::operator<=>(const decimal& other) const noexcept {
  if (is_negative != other.is_negative) return other.is_negative <=> is_negative;
  auto order = whole.size() <=> other.whole.size();
  if (std::is_eq(order)) order = whole.compare(other.whole) <=> 0;
  if (std::is_eq(order)) order = fraction.compare(other.fraction) <=> 0;
  return is_negative ? 0 <=> order : order;
}

std::optional<number_steps> number_steps::make(std::string_view first, std::string_view last, std::string_view step) {
  constexpr std::size_t max_digits = 18, max_places = 400;  // a unit of the sum below then fits 64 bits
  const auto from = decimal::read(first), to = decimal::read(last), by = decimal::read(step);
  if (!from || !to || !by || by->fraction.size() > max_places) return std::nullopt;
  std::string digits = by->whole + by->fraction;
  const std::size_t end = digits.find_last_not_of('0') + 1, begin = digits.find_first_not_of('0');
  if (end == 0 || end - begin > max_digits) return std::nullopt;

  number_steps out;
  out.min_ = by->is_negative ? *to : *from;
  out.max_ = by->is_negative ? *from : *to;
  std::from_chars(digits.data() + begin, digits.data() + end, out.step_);
  out.unit_place_ = static_cast<std::ptrdiff_t>(by->whole.size()) - static_cast<std::ptrdiff_t>(end);
  out.phase_ = out.phase_of(*from);
  return out;
}

number_steps::phase number_steps::phase_of(const decimal& of) const {
  const std::string digits = of.whole + of.fraction;
  const auto units_end = static_cast<std::ptrdiff_t>(of.whole.size()) - unit_place_;  // the digits of whole units
  const auto size = static_cast<std::ptrdiff_t>(digits.size());
  phase out;
  for (std::ptrdiff_t i = 0; i < units_end; ++i) {
    const char digit = i < size ? digits[static_cast<std::size_t>(i)] : '0';
    out.units = (out.units * 10 + static_cast<std::uint64_t>(digit - '0')) % step_;
  }
  if (units_end < 0) out.rest.assign(static_cast<std::size_t>(-units_end), '0');
  if (units_end < size) out.rest += digits.substr(static_cast<std::size_t>(std::max<std::ptrdiff_t>(units_end, 0)));
  out.rest.erase(out.rest.find_last_not_of('0') + 1);
  if (!of.is_negative) return out;

  // -(units + rest) = -(units + 1) + (1 - rest)
  if (!out.rest.empty()) {
    out.units = (out.units + 1) % step_;
    for (char& digit : out.rest) digit = static_cast<char>('0' + ('9' - digit));
    ++out.rest.back();
  }
  out.units = (step_ - out.units) % step_;
  return out;
}

bool number_steps::contains(std::string_view number) const {
  const auto value = decimal::read(number);
  return value && *value >= min_ && *value <= max_ && phase_of(*value) == phase_;
}

}  // namespace tgmap::query
