// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "statistics/accumulator.hpp"

namespace tgmap::picture {

/// A `scale` maps the numbers from `min` to `max` to positions from 0 to 1, on a colour bar or an axis.
class scale {
 public:
  /// Requires finite `min <= max`, and `min > 0` for a logarithmic scale.
  scale(double min, double max, bool is_logarithmic) noexcept;

  /// Returns the position of a number. Numbers beyond an end get the position of the end; if both ends are equal, their
  /// number gets 0.5. NaN, and on a logarithmic scale a number that is not above 0, give NaN.
  double operator()(double) const noexcept;

  double min() const noexcept { return min_; }
  double max() const noexcept { return max_; }
  bool is_logarithmic() const noexcept { return is_logarithmic_; }

 private:
  double min_, max_;
  bool is_logarithmic_;
  double low_, high_;  // the ends, or their logarithms
};

/// Returns the scale of all finite numbers, or of all above 0 for a logarithmic one. Returns nothing if there are none.
std::optional<scale> make_scale(const statistics::accumulator&, bool is_logarithmic) noexcept;

/// A `caption` is the text around a picture. It is well-formed UTF-8 without control characters.
struct caption {
  std::string title{}, details{}, unit{};
};

/// A `tick` is a position from 0 to 1 on an axis or a colour bar, with its label.
struct tick {
  double position;
  std::string label;
};

/// Returns at most `max_count` ticks at round numbers.
std::vector<tick> make_ticks(const scale&, std::size_t max_count);

/// Returns a number with at most six digits; integers up to 10^15 in full: "0.5", "1.2e-07", "16777216".
std::string number_text(double);

/// Returns the smallest 1, 2 or 5 times a power of ten of which at most `max_count` fit into `width`. Returns 0 or
/// infinity if that is no number.
double round_step(double width, std::size_t max_count) noexcept;
/// The same for the width between two numbers, which may exceed the largest number.
double round_step(double min, double max, std::size_t max_count) noexcept;

/// Returns the multiples of `step` from `min` to `max`, each once, at most 100.
std::vector<double> multiples_between(double min, double max, double step);

/// Returns `(x - from) / (to - from)`, also if a difference exceeds the largest number.
double fraction_between(double x, double from, double to) noexcept;

/// Returns a multiple of `step` with as many digits as tell it from the next one.
std::string step_text(double number, double step);

}  // namespace tgmap::picture
