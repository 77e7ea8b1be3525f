// SPDX-License-Identifier: Apache-2.0
#include "picture/scale.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tgmap::picture {

namespace {

void add(std::vector<mark>& to, const scale& on, double number, std::string label) {
  const double place = on(number);
  if (number >= on.least() && number <= on.greatest()) to.push_back({place, std::move(label)});
}

/// Powers of ten, or every second, third … of them.
std::vector<mark> decades(const scale& on, std::size_t most) {
  const int first = static_cast<int>(std::ceil(std::log10(on.least()) - 1e-9));
  const int last = static_cast<int>(std::floor(std::log10(on.greatest()) + 1e-9));
  std::vector<mark> out;
  const int step = std::max(1, (last - first) / static_cast<int>(std::max<std::size_t>(most, 2) - 1) + 0);
  for (int power = first; power <= last; power += step)
    add(out, on, std::pow(10, power), number_text(std::pow(10, power)));
  return out;
}

}  // namespace

scale::scale(double least, double greatest, bool logarithmic) noexcept
    : least_(least), greatest_(greatest), logarithmic_(logarithmic) {
  // Halved, so that the distance of the two most distant numbers is one too.
  low_ = logarithmic ? std::log(least) : least / 2;
  width_ = (logarithmic ? std::log(greatest) : greatest / 2) - low_;
}

double scale::operator()(double x) const noexcept {
  if (std::isnan(x) || (logarithmic_ && x <= 0)) return std::numeric_limits<double>::quiet_NaN();
  if (width_ <= 0) return x < least_ ? 0 : x > greatest_ ? 1 : 0.5;
  return std::clamp(((logarithmic_ ? std::log(x) : x / 2) - low_) / width_, 0.0, 1.0);
}

std::optional<scale> scale_of(const statistics::accumulator& of, bool logarithmic) noexcept {
  const double least = logarithmic ? of.least_above_zero() : of.least();
  if (std::isnan(least)) return std::nullopt;
  return scale(least, of.greatest(), logarithmic);
}

std::vector<mark> marks_of(const scale& on, std::size_t most) {
  std::vector<mark> out;
  if (on.least() == on.greatest()) return {{0.5, number_text(on.least())}};
  if (on.logarithmic()) out = decades(on, most);
  if (out.size() >= 2) return out;
  out.clear();
  const double step = round_step(on.greatest() - on.least(), most);
  if (!std::isfinite(step) || step <= 0)  // wider than any number is
    return {{0, number_text(on.least())}, {1, number_text(on.greatest())}};
  for (double n = std::ceil(on.least() / step - 1e-9); n * step <= on.greatest() + step * 1e-9 && out.size() < 100; ++n)
    add(out, on, std::clamp(n * step, on.least(), on.greatest()), step_text(n * step, step));
  return out;
}

std::string number_text(double x) {
  const bool whole = std::trunc(x) == x && std::fabs(x) < 1e15;
  return whole ? fmt::format("{:.0f}", x == 0 ? 0 : x) : fmt::format("{:.6g}", x);
}

double round_step(double width, std::size_t most) noexcept {
  const double wanted = width / static_cast<double>(std::max<std::size_t>(most, 1));
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
