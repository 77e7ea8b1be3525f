// SPDX-License-Identifier: Apache-2.0
#include "statistics/accumulator.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "statistics/packs.hpp"

namespace tgmap::statistics {

namespace {

constexpr std::size_t piece = 1024;  // a multiple of what is taken at once
constexpr double infinity = std::numeric_limits<double>::infinity();

double sum_of(const pack_row& row) noexcept {
  return folded(row, [](double a, double b) { return a + b; });
}
double least_of(const pack_row& row) noexcept {
  return folded(row, [](double a, double b) { return std::min(a, b); });
}
double greatest_of(const pack_row& row) noexcept {
  return folded(row, [](double a, double b) { return std::max(a, b); });
}

/// Counts where a mask is set, which is -1 there.
class counter {
 public:
  void add(pack_mask where) noexcept { count_ -= where; }
  std::uint64_t get() const noexcept { return static_cast<std::uint64_t>(count_[0] + count_[1]); }

 private:
  pack_mask count_{};
};

pack_mask finite(pack x) noexcept { return x - x == pack{}; }

/// Of numbers that are all finite; nothing when they are not.
std::optional<extremes> of_finite(std::span<const double> numbers) noexcept {
  pack_row sum{}, odd{}, least = row_of(infinity), greatest = row_of(-infinity);
  each_pack(numbers.data(), numbers.size(), [&](std::size_t i, pack x) {
    sum[i] += x;
    odd[i] += x - x;  // 0, or NaN
    least[i] = x < least[i] ? x : least[i];
    greatest[i] = x > greatest[i] ? x : greatest[i];
  });
  if (sum_of(odd) != 0) return std::nullopt;  // NaN is not 0
  return extremes{sum_of(sum), least_of(least), greatest_of(greatest)};
}

/// Of the finite ones among them.
extremes of_any(std::span<const double> numbers) noexcept {
  pack_row sum{}, least = row_of(infinity), greatest = row_of(-infinity);
  each_pack(numbers.data(), numbers.size(), [&](std::size_t i, pack x) {
    const pack_mask is = finite(x);
    sum[i] += is ? x : pack{};
    const pack low = is ? x : pack_of(infinity), high = is ? x : pack_of(-infinity);
    least[i] = low < least[i] ? low : least[i];
    greatest[i] = high > greatest[i] ? high : greatest[i];
  });
  return {sum_of(sum), least_of(least), greatest_of(greatest)};
}

/// Of finite numbers whose sum is none.
double mean_by_parts(std::span<const double> numbers, double count) noexcept {
  double out = 0;
  for (const double x : numbers)
    if (std::isfinite(x)) out += x / count;
  return out;
}

long double squares_of(std::span<const double> numbers, double mean) noexcept {
  pack_row out{};
  const pack middle = pack_of(mean);
  each_pack(numbers.data(), numbers.size(), [&](std::size_t i, pack x) {
    const pack distance = finite(x) ? x - middle : pack{};
    out[i] += distance * distance;
  });
  if (const double sum = sum_of(out); std::isfinite(sum)) return sum;
  long double large = 0;
  for (const long double x : numbers)
    if (std::isfinite(x)) large += (x - mean) * (x - mean);
  return large;
}

}  // namespace

bool accumulator::add(std::span<const double> numbers) noexcept {
  const std::uint64_t odd_before = count() - finite_;
  while (!numbers.empty()) {
    const auto part = numbers.first(std::min(piece, numbers.size()));
    numbers = numbers.subspan(part.size());
    if (part.size() % at_once == 0) {
      add_piece(part);
      continue;
    }
    std::array<double, piece> padded;
    const std::size_t size = (part.size() + at_once - 1) / at_once * at_once;
    std::fill(std::copy(part.begin(), part.end(), padded.begin()), padded.begin() + size, nan);
    add_piece(std::span<const double>(padded).first(size));
    missing_ -= size - part.size();
  }
  return count() - finite_ == odd_before;
}

void accumulator::add_piece(std::span<const double> numbers) noexcept {
  std::uint64_t finite = numbers.size();
  auto found = of_finite(numbers);
  if (!found) {
    found = of_any(numbers);
    finite -= count_odd(numbers);
  }
  if (finite != 0) add_finite(numbers, *found, finite);
}

std::uint64_t accumulator::count_odd(std::span<const double> numbers) noexcept {
  counter missing, positive, negative;
  each_pack(numbers.data(), numbers.size(), [&](std::size_t, pack x) {
    missing.add(x != x);
    positive.add(x == pack_of(infinity));
    negative.add(x == pack_of(-infinity));
  });
  missing_ += missing.get();
  positive_ += positive.get();
  negative_ += negative.get();
  return missing.get() + positive.get() + negative.get();
}

void accumulator::add_above_zero(std::span<const double> numbers) noexcept {
  counter above;
  pack_row least = row_of(infinity);
  each_pack(numbers.data(), numbers.size(), [&](std::size_t i, pack x) {
    const pack_mask is = (x > pack{}) & (x < pack_of(infinity));
    above.add(is);
    const pack y = is ? x : pack_of(infinity);
    least[i] = y < least[i] ? y : least[i];
  });
  above_zero_ += above.get();
  least_above_zero_ = std::min(least_above_zero_, least_of(least));
}

void accumulator::add_finite(std::span<const double> numbers, const extremes& found, std::uint64_t finite) noexcept {
  least_ = std::min(least_, found.least);
  greatest_ = std::max(greatest_, found.greatest);
  if (found.least > 0) {
    least_above_zero_ = std::min(least_above_zero_, found.least);
    above_zero_ += finite;
  } else {
    add_above_zero(numbers);
  }

  const auto n = static_cast<double>(finite);
  const double plain = std::isfinite(found.sum) ? found.sum / n : mean_by_parts(numbers, n);
  const double mean = std::clamp(plain, found.least, found.greatest);
  add_moments(mean, squares_of(numbers, mean), finite);
}

void accumulator::add_moments(double mean, long double squares, std::uint64_t finite) noexcept {
  const auto n = static_cast<double>(finite), before = static_cast<double>(finite_);
  const double share = n / (before + n), distance = mean - mean_;
  // Numbers at both ends of what doubles can hold are further apart than that.
  const long double apart = static_cast<long double>(mean) - mean_;
  mean_ = std::isfinite(distance) ? mean_ + distance * share : mean_ * (1 - share) + mean * share;
  squares_ += squares + apart * apart * before * share;
  finite_ += finite;
}

void accumulator::add(const accumulator& other) noexcept {
  missing_ += other.missing_;
  positive_ += other.positive_;
  negative_ += other.negative_;
  above_zero_ += other.above_zero_;
  least_ = std::min(least_, other.least_);
  greatest_ = std::max(greatest_, other.greatest_);
  least_above_zero_ = std::min(least_above_zero_, other.least_above_zero_);
  if (other.finite_ != 0) add_moments(other.mean_, other.squares_, other.finite_);
}

double accumulator::deviation() const noexcept {
  if (finite_ == 0) return nan;
  const double variance = static_cast<double>(squares_) / static_cast<double>(finite_);
  if (std::isfinite(variance)) return std::sqrt(variance);
  return static_cast<double>(std::sqrt(squares_ / static_cast<long double>(finite_)));
}

}  // namespace tgmap::statistics
