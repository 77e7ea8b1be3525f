// SPDX-License-Identifier: Apache-2.0
#include "constant/json/number.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>

namespace tgmap {
inline namespace v0 {
namespace constant {
namespace json {

namespace {

constexpr std::int64_t much = 1'000'000'000'000'000;  // more than any text has digits

/// A number taken apart, as RFC 8259 spells one.
struct spelled {
  bool sound = false, whole = true, zero = true;
  std::int64_t leading = 0;  ///< the power of ten of its first digit that is not 0
};

spelled take_apart(std::string_view text) noexcept {
  spelled out;
  std::size_t i = 0;
  const auto is_digit = [&] { return i < text.size() && digit_of(text[i]) <= 9; };
  if (i < text.size() && text[i] == '-') ++i;
  if (!is_digit()) return out;
  const std::size_t begin = i;
  while (is_digit()) ++i;
  if (text[begin] == '0' && i - begin > 1) return out;
  if (text[begin] != '0') {
    out.zero = false;
    out.leading = static_cast<std::int64_t>(i - begin) - 1;
  }
  if (i < text.size() && text[i] == '.') {
    out.whole = false;
    const std::size_t fraction = ++i;
    for (; is_digit(); ++i)
      if (out.zero && text[i] != '0') {
        out.zero = false;
        out.leading = -static_cast<std::int64_t>(i - fraction) - 1;
      }
    if (i == fraction) return out;
  }
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    out.whole = false;
    ++i;
    const bool down = i < text.size() && text[i] == '-';
    if (i < text.size() && (text[i] == '-' || text[i] == '+')) ++i;
    if (!is_digit()) return out;
    std::int64_t shift = 0;
    for (; is_digit(); ++i) shift = std::min(much, shift * 10 + static_cast<std::int64_t>(digit_of(text[i])));
    out.leading += down ? -shift : shift;
  }
  out.sound = i == text.size();
  return out;
}

bool same_word(std::string_view text, std::string_view word) noexcept {
  return std::equal(text.begin(), text.end(), word.begin(), word.end(),
                    [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a + ('a' - 'A') : a) == b; });
}

}  // namespace

std::optional<double> any_number(std::string_view text) noexcept {
  const spelled is = take_apart(text);
  if (!is.sound) return {};
  const double sign = text.front() == '-' ? -1 : 1;
  if (is.zero) return is.whole ? 0.0 : std::copysign(0.0, sign);
  double out = 0;
  const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (wrong == std::errc::result_out_of_range)
    return std::copysign(is.leading > 0 ? std::numeric_limits<double>::infinity() : 0.0, sign);
  if (wrong != std::errc() || end != text.data() + text.size()) return {};
  return out;
}

std::optional<double> number_in_string(std::string_view text) noexcept {
  if (text.empty()) return {};
  if (const auto number = any_number(text)) return number;
  const bool negative = text.front() == '-';
  const std::string_view word = negative || text.front() == '+' ? text.substr(1) : text;
  double out = 0;
  if (same_word(word, "inf") || same_word(word, "infinity"))
    out = std::numeric_limits<double>::infinity();
  else if (same_word(word, "nan"))
    out = std::numeric_limits<double>::quiet_NaN();
  else
    return {};
  return std::copysign(out, negative ? -1 : 1);
}

}  // namespace json
}  // namespace constant
}  // namespace v0
}  // namespace tgmap
