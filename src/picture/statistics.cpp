// SPDX-License-Identifier: Apache-2.0
#include "picture/statistics.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace tgmap::picture {

namespace {

// Sums and extremes in several lanes: a compiler may not change the order of additions by itself.
constexpr std::size_t lanes = 8;
constexpr std::size_t piece = 1024;

using lane_values = std::array<double, lanes>;

double sum_of(const lane_values& v) noexcept {
  return ((v[0] + v[1]) + (v[2] + v[3])) + ((v[4] + v[5]) + (v[6] + v[7]));
}

/// x - x is 0 for finite numbers, else NaN.
bool all_finite(std::span<const double> numbers) noexcept {
  lane_values odd{};
  std::size_t i = 0;
  for (; i + lanes <= numbers.size(); i += lanes)
    for (std::size_t l = 0; l < lanes; ++l) odd[l] += numbers[i + l] - numbers[i + l];
  for (; i < numbers.size(); ++i) odd[0] += numbers[i] - numbers[i];
  return sum_of(odd) == 0;
}

}  // namespace

bool statistics::add(std::span<const double> numbers) noexcept {
  bool fine = true;
  for (; !numbers.empty(); numbers = numbers.subspan(std::min(piece, numbers.size()))) {
    const auto part = numbers.first(std::min(piece, numbers.size()));
    if (all_finite(part)) {
      add_finite(part);
      continue;
    }
    fine = false;
    std::array<double, piece> kept;
    std::size_t count = 0;
    for (const double x : part) {
      kept[count] = x;
      count += x - x == 0 ? 1U : 0U;
      missing_ += std::isnan(x) ? 1U : 0U;
      positive_ += x == infinity ? 1U : 0U;
      negative_ += x == -infinity ? 1U : 0U;
    }
    add_finite(std::span<const double>(kept).first(count));
  }
  return fine;
}

void statistics::add_finite(std::span<const double> numbers) noexcept {
  if (numbers.empty()) return;
  lane_values sum{}, least, greatest;
  least.fill(infinity);
  greatest.fill(-infinity);
  std::size_t i = 0;
  for (; i + lanes <= numbers.size(); i += lanes)
    for (std::size_t l = 0; l < lanes; ++l) {
      const double x = numbers[i + l];
      sum[l] += x;
      least[l] = x < least[l] ? x : least[l];
      greatest[l] = x > greatest[l] ? x : greatest[l];
    }
  for (; i < numbers.size(); ++i) {
    sum[0] += numbers[i];
    least[0] = std::min(least[0], numbers[i]);
    greatest[0] = std::max(greatest[0], numbers[i]);
  }
  const double lowest = *std::min_element(least.begin(), least.end());
  least_ = std::min(least_, lowest);
  greatest_ = std::max(greatest_, *std::max_element(greatest.begin(), greatest.end()));
  if (lowest > 0) {
    least_above_zero_ = std::min(least_above_zero_, lowest);
    above_zero_ += numbers.size();
  } else {
    for (const double x : numbers) {
      above_zero_ += x > 0 ? 1U : 0U;
      least_above_zero_ = x > 0 && x < least_above_zero_ ? x : least_above_zero_;
    }
  }

  const auto n = static_cast<double>(numbers.size()), before = static_cast<double>(finite_);
  const double mean = std::clamp(sum_of(sum) / n, least_, greatest_);
  lane_values squares{};
  i = 0;
  for (; i + lanes <= numbers.size(); i += lanes)
    for (std::size_t l = 0; l < lanes; ++l) squares[l] += (numbers[i + l] - mean) * (numbers[i + l] - mean);
  for (; i < numbers.size(); ++i) squares[0] += (numbers[i] - mean) * (numbers[i] - mean);

  const double distance = mean - mean_, share = n / (before + n);
  mean_ += distance * share;
  squares_ += sum_of(squares) + distance * distance * before * share;
  finite_ += numbers.size();
}

double statistics::deviation() const noexcept {
  return finite_ == 0 ? nan : std::sqrt(squares_ / static_cast<double>(finite_));
}

}  // namespace tgmap::picture
