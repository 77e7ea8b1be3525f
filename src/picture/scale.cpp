// SPDX-License-Identifier: Apache-2.0
#include "picture/scale.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tgmap::picture {

namespace {

void add(std::vector<tick>& to, const scale& on, double number, std::string label) {
  const double position = on(number);
  if (number >= on.min() && number <= on.max()) to.push_back({position, std::move(label)});
}

/// Returns ticks at the powers of ten, or at every second, third … of them.
std::vector<tick> make_decade_ticks(const scale& on, std::size_t max_count) {
  const int first = static_cast<int>(std::ceil(std::log10(on.min()) - 1e-9));
  const int last = static_cast<int>(std::floor(std::log10(on.max()) + 1e-9));
  std::vector<tick> out;
  const int step = std::max(1, (last - first) / static_cast<int>(std::max<std::size_t>(max_count, 2) - 1));
  for (int power = first; power <= last; power += step)
    add(out, on, std::pow(10, power), number_text(std::pow(10, power)));
  return out;
}

}  // namespace

scale::scale(double min, double max, bool is_logarithmic) noexcept
    : min_(min), max_(max), is_logarithmic_(is_logarithmic) {
  low_ = is_logarithmic ? std::log(min) : min;
  high_ = is_logarithmic ? std::log(max) : max;
}

double scale::operator()(double x) const noexcept {
  if (std::isnan(x) || (is_logarithmic_ && x <= 0)) return std::numeric_limits<double>::quiet_NaN();
  if (low_ >= high_) return x < min_ ? 0 : x > max_ ? 1 : 0.5;
  return std::clamp(fraction_between(is_logarithmic_ ? std::log(x) : std::clamp(x, min_, max_), low_, high_), 0.0, 1.0);
}

std::optional<scale> make_scale(const statistics::accumulator& accumulator, bool is_logarithmic) noexcept {
  const double min = is_logarithmic ? accumulator.min_positive() : accumulator.min();
  if (std::isnan(min)) return std::nullopt;
  return scale(min, accumulator.max(), is_logarithmic);
}

std::vector<tick> make_ticks(const scale& on, std::size_t max_count) {
  std::vector<tick> out;
  if (on.min() == on.max()) return {{0.5, number_text(on.min())}};
  if (on.is_logarithmic()) out = make_decade_ticks(on, max_count);
  if (out.size() >= 2) return out;
  out.clear();
  const double step = round_step(on.min(), on.max(), max_count);
  if (!std::isfinite(step) || step <= 0)  // no such number
    return {{0, number_text(on.min())}, {1, number_text(on.max())}};
  for (const double number : multiples_between(on.min(), on.max(), step))
    add(out, on, std::clamp(number, on.min(), on.max()), step_text(number, step));
  return out;
}

std::string number_text(double x) {
  const bool whole = std::trunc(x) == x && std::fabs(x) < 1e15;
  return whole ? fmt::format("{:.0f}", x == 0 ? 0 : x) : fmt::format("{:.6g}", x);
}

double round_step(double width, std::size_t max_count) noexcept {
  const double wanted = width / static_cast<double>(std::max<std::size_t>(max_count, 1));
  const double power = std::pow(10, std::floor(std::log10(wanted)));
  for (const double times : {1.0, 2.0, 5.0})
    if (times * power >= wanted * (1 - 1e-9)) return times * power;
  return 10 * power;
}

double round_step(double min, double max, std::size_t max_count) noexcept {
  const double width = max - min;
  if (std::isfinite(width)) return round_step(width, max_count);
  const auto count = static_cast<double>(std::max<std::size_t>(max_count, 1));
  return round_step(max / count - min / count, 1);
}

std::vector<double> multiples_between(double min, double max, double step) {
  std::vector<double> out;
  const double first = std::ceil(min / step - 1e-9);
  for (int i = 0; i < 100; ++i) {
    const double number = (first + i) * step;
    if (!std::isfinite(number) || number > max + step * 1e-9) break;
    // A sum of large numbers may be rounded to the one before.
    if (out.empty() || number > out.back()) out.push_back(number);
  }
  return out;
}

double fraction_between(double x, double from, double to) noexcept {
  if (std::isfinite(to - from) && std::isfinite(x - from)) return (x - from) / (to - from);
  return (x / 2 - from / 2) / (to / 2 - from / 2);
}

std::string step_text(double number, double step) {
  if (std::fabs(number) < step / 2) return "0";
  const double largest = std::fabs(number);
  if (largest >= 1e6 || step < 1e-5) {
    const double digits = std::floor(std::log10(largest)) - std::floor(std::log10(step) + 1e-9) + 1;
    return fmt::format("{:.{}g}", number, static_cast<int>(std::clamp(digits, 6.0, 17.0)));
  }
  const int decimals = std::max(0, static_cast<int>(-std::floor(std::log10(step) + 1e-9)));
  return fmt::format("{:.{}f}", number, decimals);
}

}  // namespace tgmap::picture
