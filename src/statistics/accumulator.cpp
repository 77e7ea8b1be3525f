// SPDX-License-Identifier: Apache-2.0
#include "statistics/accumulator.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <optional>

namespace tgmap::statistics {

namespace {

// Vectors of two doubles, which every supported processor has.
using pack = double __attribute__((vector_size(16)));
using pack_mask = std::int64_t __attribute__((vector_size(16)));

constexpr std::size_t pack_size = 2, packs = 4, row_size = pack_size * packs;
constexpr double infinity = std::numeric_limits<double>::infinity();

/// A `pack_row` is several packs that are computed independently, so that the processor can overlap their operations.
using pack_row = std::array<pack, packs>;

pack load_pack(const double* from) noexcept {
  pack out;
  std::memcpy(&out, from, sizeof out);
  return out;
}

pack pack_of(double x) noexcept { return pack{x, x}; }
pack_row row_of(double x) noexcept { return {pack_of(x), pack_of(x), pack_of(x), pack_of(x)}; }

/// Calls `visit(i, pack)` for all numbers; `i` is the index of the pack in its row. The count is a multiple of eight.
template <class F>
void each_pack(std::span<const double> numbers, F&& visit) noexcept {
  for (std::size_t n = 0; n < numbers.size(); n += row_size)
    for (std::size_t i = 0; i < packs; ++i) visit(i, load_pack(numbers.data() + n + i * pack_size));
}

/// Combines all numbers of a row by `join`.
template <class F>
double reduce(const pack_row& row, F&& join) noexcept {
  double out = row[0][0];
  for (std::size_t i = 0; i < packs; ++i)
    for (std::size_t e = i == 0 ? 1 : 0; e < pack_size; ++e) out = join(out, row[i][e]);
  return out;
}

double sum_of(const pack_row& row) noexcept {
  return reduce(row, [](double a, double b) { return a + b; });
}
double min_of(const pack_row& row) noexcept {
  return reduce(row, [](double a, double b) { return std::min(a, b); });
}
double max_of(const pack_row& row) noexcept {
  return reduce(row, [](double a, double b) { return std::max(a, b); });
}

/// A `mask_counter` counts the elements of masks that are set, which are -1.
class mask_counter {
 public:
  void add(pack_mask mask) noexcept { count_ -= mask; }
  std::uint64_t get() const noexcept { return static_cast<std::uint64_t>(count_[0] + count_[1]); }

 private:
  pack_mask count_{};
};

pack_mask is_finite(pack x) noexcept { return x - x == pack{}; }

/// Summarizes numbers that are all finite. Returns nothing if one is not. Faster than summarize_finite.
std::optional<block_summary> summarize_if_finite(std::span<const double> numbers) noexcept {
  pack_row sum{}, zero{}, min = row_of(infinity), max = row_of(-infinity);
  each_pack(numbers, [&](std::size_t i, pack x) {
    sum[i] += x;
    zero[i] += x - x;  // 0, or NaN if x is not finite
    min[i] = x < min[i] ? x : min[i];
    max[i] = x > max[i] ? x : max[i];
  });
  if (sum_of(zero) != 0) return std::nullopt;  // NaN != 0
  return block_summary{sum_of(sum), min_of(min), max_of(max)};
}

/// Summarizes the numbers that are finite.
block_summary summarize_finite(std::span<const double> numbers) noexcept {
  pack_row sum{}, min = row_of(infinity), max = row_of(-infinity);
  each_pack(numbers, [&](std::size_t i, pack x) {
    const pack_mask finite = is_finite(x);
    sum[i] += finite ? x : pack{};
    const pack low = finite ? x : pack_of(infinity), high = finite ? x : pack_of(-infinity);
    min[i] = low < min[i] ? low : min[i];
    max[i] = high > max[i] ? high : max[i];
  });
  return {sum_of(sum), min_of(min), max_of(max)};
}

/// Returns the mean of the finite numbers, for numbers whose sum overflows.
double mean_of_large(std::span<const double> numbers, double count) noexcept {
  double out = 0;
  for (const double x : numbers)
    if (std::isfinite(x)) out += x / count;
  return out;
}

long double squares_of(std::span<const double> numbers, double mean) noexcept {
  pack_row out{};
  const pack middle = pack_of(mean);
  each_pack(numbers, [&](std::size_t i, pack x) {
    const pack distance = is_finite(x) ? x - middle : pack{};
    out[i] += distance * distance;
  });
  // Squares of large and of small distances exceed the range of double.
  constexpr double min_exact = 1e-280;
  if (const double sum = sum_of(out); std::isfinite(sum) && sum >= min_exact) return sum;
  long double exact = 0;
  for (const long double x : numbers)
    if (std::isfinite(x)) exact += (x - mean) * (x - mean);
  return exact;
}

}  // namespace

bool accumulator::add(std::span<const double> numbers) noexcept {
  const std::uint64_t not_finite = count() - finite_;
  while (!numbers.empty()) {
    const auto part = numbers.first(std::min(block_size, numbers.size()));
    numbers = numbers.subspan(part.size());
    if (part.size() % row_size == 0) {
      add_block(part);
      continue;
    }
    std::array<double, block_size> padded;
    const std::size_t size = (part.size() + row_size - 1) / row_size * row_size;
    std::fill(std::copy(part.begin(), part.end(), padded.begin()), padded.begin() + size, nan);
    add_block(std::span<const double>(padded).first(size));
    nan_ -= size - part.size();
  }
  return count() - finite_ == not_finite;
}

void accumulator::add_block(std::span<const double> numbers) noexcept {
  std::uint64_t finite = numbers.size();
  auto summary = summarize_if_finite(numbers);
  if (!summary) {
    summary = summarize_finite(numbers);
    finite -= count_not_finite(numbers);
  }
  if (finite != 0) add_finite(numbers, *summary, finite);
}

std::uint64_t accumulator::count_not_finite(std::span<const double> numbers) noexcept {
  mask_counter nans, positive, negative;
  each_pack(numbers, [&](std::size_t, pack x) {
    nans.add(x != x);
    positive.add(x == pack_of(infinity));
    negative.add(x == pack_of(-infinity));
  });
  nan_ += nans.get();
  positive_infinities_ += positive.get();
  negative_infinities_ += negative.get();
  return nans.get() + positive.get() + negative.get();
}

void accumulator::add_positive(std::span<const double> numbers) noexcept {
  mask_counter count;
  pack_row min = row_of(infinity);
  each_pack(numbers, [&](std::size_t i, pack x) {
    const pack_mask is_positive = (x > pack{}) & (x < pack_of(infinity));
    count.add(is_positive);
    const pack y = is_positive ? x : pack_of(infinity);
    min[i] = y < min[i] ? y : min[i];
  });
  positive_ += count.get();
  min_positive_ = std::min(min_positive_, min_of(min));
}

void accumulator::add_finite(std::span<const double> numbers, const block_summary& summary,
                             std::uint64_t finite) noexcept {
  min_ = std::min(min_, summary.min);
  max_ = std::max(max_, summary.max);
  if (summary.min > 0) {
    min_positive_ = std::min(min_positive_, summary.min);
    positive_ += finite;
  } else {
    add_positive(numbers);
  }

  const auto n = static_cast<double>(finite);
  const double plain = std::isfinite(summary.sum) ? summary.sum / n : mean_of_large(numbers, n);
  const double mean = std::clamp(plain, summary.min, summary.max);
  add_moments(mean, summary.min == summary.max ? 0 : squares_of(numbers, mean), finite);
}

void accumulator::add_moments(double mean, long double squares, std::uint64_t finite) noexcept {
  const auto n = static_cast<double>(finite), before = static_cast<double>(finite_);
  const double share = n / (before + n), distance = mean - mean_;
  // The distance of large doubles of opposite sign overflows.
  const long double wide_distance = static_cast<long double>(mean) - mean_;
  mean_ = std::isfinite(distance) ? mean_ + distance * share : mean_ * (1 - share) + mean * share;
  squares_ += squares + wide_distance * wide_distance * before * share;
  finite_ += finite;
}

void accumulator::add(const accumulator& other) noexcept {
  nan_ += other.nan_;
  positive_infinities_ += other.positive_infinities_;
  negative_infinities_ += other.negative_infinities_;
  positive_ += other.positive_;
  min_ = std::min(min_, other.min_);
  max_ = std::max(max_, other.max_);
  min_positive_ = std::min(min_positive_, other.min_positive_);
  if (other.finite_ != 0) add_moments(other.mean_, other.squares_, other.finite_);
}

double accumulator::standard_deviation() const noexcept {
  if (finite_ == 0) return nan;
  const double variance = static_cast<double>(squares_) / static_cast<double>(finite_);
  constexpr double min_exact = 1e-290;
  if (std::isfinite(variance) && variance >= min_exact) return std::sqrt(variance);
  return static_cast<double>(std::sqrt(squares_ / static_cast<long double>(finite_)));
}

}  // namespace tgmap::statistics
