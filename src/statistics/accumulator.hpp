// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

namespace tgmap::statistics {

/// Sum and ends of some finite numbers.
struct extremes {
  double sum, least, greatest;
};

/// What can be said of numbers without looking at each: missing ones are NaN, and infinities are counted apart.
///
/// Mean and deviation are those of the finite numbers, brought together from blocks (Chan, Golub and LeVeque 1979), so
/// that no sum of squares cancels. O(1) memory.
class accumulator {
 public:
  /// Returns whether all of them are finite.
  bool add(std::span<const double>) noexcept;

  /// As if all that was added there had been added here.
  void add(const accumulator&) noexcept;

  std::uint64_t count() const noexcept { return finite_ + missing_ + positive_ + negative_; }
  std::uint64_t finite() const noexcept { return finite_; }
  std::uint64_t missing() const noexcept { return missing_; }
  std::uint64_t positive_infinities() const noexcept { return positive_; }
  std::uint64_t negative_infinities() const noexcept { return negative_; }
  std::uint64_t not_above_zero() const noexcept { return finite_ - above_zero_; }  ///< of the finite ones

  // Of no finite number at all, NaN.
  double least() const noexcept { return finite_ == 0 ? nan : least_; }
  double greatest() const noexcept { return finite_ == 0 ? nan : greatest_; }
  double least_above_zero() const noexcept { return above_zero_ == 0 ? nan : least_above_zero_; }
  double mean() const noexcept { return finite_ == 0 ? nan : mean_; }
  double deviation() const noexcept;  ///< standard, of the numbers as a whole (divided by their count)

 private:
  static constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  void add_piece(std::span<const double>) noexcept;  // of a count that is a multiple of eight
  std::uint64_t count_odd(std::span<const double>) noexcept;
  void add_above_zero(std::span<const double>) noexcept;
  void add_finite(std::span<const double>, const extremes&, std::uint64_t finite) noexcept;
  void add_moments(double mean, long double squares, std::uint64_t finite) noexcept;

  std::uint64_t finite_ = 0, missing_ = 0, positive_ = 0, negative_ = 0, above_zero_ = 0;
  double least_ = infinity, greatest_ = -infinity, least_above_zero_ = infinity;
  double mean_ = 0;
  long double squares_ = 0;  // of the distances from the mean; of large doubles they go beyond doubles
};

}  // namespace tgmap::statistics
