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
  // Halved, because the difference of the largest numbers would overflow.
  low_ = is_logarithmic ? std::log(min) : min / 2;
  width_ = (is_logarithmic ? std::log(max) : max / 2) - low_;
}

double scale::operator()(double x) const noexcept {
  if (std::isnan(x) || (is_logarithmic_ && x <= 0)) return std::numeric_limits<double>::quiet_NaN();
  if (width_ <= 0) return x < min_ ? 0 : x > max_ ? 1 : 0.5;
  return std::clamp(((is_logarithmic_ ? std::log(x) : x / 2) - low_) / width_, 0.0, 1.0);
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
  const double step = round_step(on.max() - on.min(), max_count);
  if (!std::isfinite(step) || step <= 0)  // the width overflows
    return {{0, number_text(on.min())}, {1, number_text(on.max())}};
  for (double n = std::ceil(on.min() / step - 1e-9); n * step <= on.max() + step * 1e-9 && out.size() < 100; ++n)
    add(out, on, std::clamp(n * step, on.min(), on.max()), step_text(n * step, step));
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

std::string step_text(double number, double step) {
  if (std::fabs(number) < step / 2) return "0";
  const double largest = std::fabs(number);
  if (largest >= 1e6 || step < 1e-5) return fmt::format("{:.6g}", number);
  const int decimals = std::max(0, static_cast<int>(-std::floor(std::log10(step) + 1e-9)));
  return fmt::format("{:.{}f}", number, decimals);
}

}  // namespace tgmap::picture
