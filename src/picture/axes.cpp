// SPDX-License-Identifier: Apache-2.0
#include "picture/axes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace tgmap::picture {

namespace {

constexpr std::array degree_steps{1.0, 2.0, 5.0, 10.0, 15.0, 30.0, 45.0, 60.0, 90.0};

bool is_degrees(axis_kind kind) { return kind == axis_kind::latitude || kind == axis_kind::longitude; }

/// Returns a step of degrees that people expect, or 0.
double degree_step(axis_kind kind, double width, std::size_t max_count) {
  if (is_degrees(kind))
    for (const double step : degree_steps)
      if (step * static_cast<double>(max_count) >= width && width >= 3) return step;
  return 0;
}

std::string degrees_text(axis_kind kind, double degrees, double step, bool unicode) {
  if (kind == axis_kind::longitude) degrees = std::remainder(degrees, 360);
  const char* const degree_sign = unicode ? "°" : "";
  const std::string number = step_text(std::fabs(degrees), step);
  const bool neutral = number == "0" || (kind == axis_kind::longitude && number == "180");
  const char* const side = kind == axis_kind::latitude ? (degrees < 0 ? "S" : "N") : (degrees < 0 ? "W" : "E");
  return fmt::format("{}{}{}", number, degree_sign, neutral ? "" : side);
}

/// Returns the position of a value. The value of an element is at the middle of the element, which is 1 / size wide.
double position_of(const axis& axis, double value) {
  const auto& v = axis.values;
  const bool rising = v.front() < v.back();
  const auto before = [&](double a, double b) { return rising ? a < b : a > b; };
  const auto above = std::lower_bound(v.begin(), v.end(), value, before);
  const auto i = static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(above - v.begin(), 1, std::ssize(v) - 1));
  const double part = fraction_between(value, v[i - 1], v[i]);
  const double position = (static_cast<double>(i) - 0.5 + part) / static_cast<double>(axis.size);
  return axis.is_reversed() ? 1 - position : position;
}

std::vector<tick> make_index_ticks(const axis& axis, std::size_t max_count) {
  std::vector<tick> out;
  const std::uint64_t max_steps = std::max<std::uint64_t>(max_count, 2) - 1;
  const std::uint64_t last = axis.first + (axis.size - 1) * axis.step;
  const double width = static_cast<double>(last - axis.first);
  double wanted = round_step(width, max_steps);
  if (wanted > width) wanted = round_step(width / 2, 1);  // one tick too many is better than a single one
  const auto step = static_cast<std::uint64_t>(std::max(1.0, wanted));
  for (std::uint64_t i = (axis.first + step - 1) / step * step; i <= last; i += step) {
    const double position = static_cast<double>(i - axis.first) / static_cast<double>(axis.step);
    out.push_back({(position + 0.5) / static_cast<double>(axis.size), fmt::format("{}", i)});
    if (last - i < step) break;  // the sum may overflow
  }
  return out;
}

}  // namespace

bool axis::is_reversed() const noexcept {
  if (values.size() < 2) return false;
  const bool rising = values.front() < values.back();
  return (kind == axis_kind::latitude && rising) || (kind == axis_kind::longitude && !rising);
}

std::vector<tick> make_ticks(const axis& axis, std::size_t max_count, bool unicode) {
  if (axis.size == 0 || max_count == 0) return {};
  if (axis.kind == axis_kind::index) return make_index_ticks(axis, max_count);
  const auto [min, max] = std::minmax(axis.values.front(), axis.values.back());
  double step = degree_step(axis.kind, max - min, max_count);
  if (step <= 0) step = round_step(min, max, max_count);
  if (!std::isfinite(step) || step <= 0)  // no such number
    return {{position_of(axis, min), number_text(min)}, {position_of(axis, max), number_text(max)}};
  std::vector<tick> out;
  // Coordinates that are stored as float are not exactly at round numbers.
  for (const double value : multiples_between(min - step * 1e-6, max + step * 1e-6, step))
    out.push_back({position_of(axis, std::clamp(value, min, max)),
                   is_degrees(axis.kind) ? degrees_text(axis.kind, value, step, unicode) : step_text(value, step)});
  return out;
}

}  // namespace tgmap::picture
