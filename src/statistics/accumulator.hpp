// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

namespace tgmap::statistics {

/// Sum and range of the finite numbers of a block.
struct block_summary {
  double sum, min, max;
};

/// An `accumulator` computes count, range, mean and standard deviation of numbers in one pass and constant memory.
///
/// NaN and infinities are counted; everything else is that of the finite numbers. Means and squares are merged block by
/// block (Chan, Golub and LeVeque 1979), which avoids the cancellation of a plain sum of squares.
class accumulator {
 public:
  /// Adds numbers. Returns true if all of them are finite.
  bool add(std::span<const double>) noexcept;

  /// Adds all numbers that were added to another accumulator.
  void add(const accumulator&) noexcept;

  std::uint64_t count() const noexcept { return finite_ + nan_ + positive_infinities_ + negative_infinities_; }
  std::uint64_t finite_count() const noexcept { return finite_; }
  std::uint64_t nan_count() const noexcept { return nan_; }
  std::uint64_t positive_infinities() const noexcept { return positive_infinities_; }
  std::uint64_t negative_infinities() const noexcept { return negative_infinities_; }
  std::uint64_t not_positive_count() const noexcept { return finite_ - positive_; }  ///< finite and at most 0

  // NaN if there is no such number.
  double min() const noexcept { return finite_ == 0 ? nan : min_; }
  double max() const noexcept { return finite_ == 0 ? nan : max_; }
  double min_positive() const noexcept { return positive_ == 0 ? nan : min_positive_; }
  double mean() const noexcept { return finite_ == 0 ? nan : mean_; }
  double standard_deviation() const noexcept;  ///< of the population: the divisor is the count

 private:
  static constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  static constexpr std::size_t block_size = 1024;

  void add_block(std::span<const double>) noexcept;  // of a size that is a multiple of eight
  std::uint64_t count_not_finite(std::span<const double>) noexcept;
  void add_positive(std::span<const double>) noexcept;
  void add_finite(std::span<const double>, const block_summary&, std::uint64_t finite) noexcept;
  void add_moments(double mean, long double squares, std::uint64_t finite) noexcept;

  std::uint64_t finite_ = 0, nan_ = 0, positive_infinities_ = 0, negative_infinities_ = 0, positive_ = 0;
  double min_ = infinity, max_ = -infinity, min_positive_ = infinity;
  double mean_ = 0;
  long double squares_ = 0;  // of the distances from the mean; those of large doubles exceed the range of double
};

}  // namespace tgmap::statistics
