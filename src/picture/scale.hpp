// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "statistics/accumulator.hpp"

namespace tgmap::picture {

/// Numbers and where they lie between the two ends of a colour bar, or of an axis.
class scale {
 public:
  /// `least <= greatest`, both finite; with `logarithmic` above 0.
  scale(double least, double greatest, bool logarithmic) noexcept;

  /// From 0 to 1, the ends for what lies beyond them; one half when both ends are the same. NaN for NaN, and for what
  /// has no logarithm.
  double operator()(double) const noexcept;

  double least() const noexcept { return least_; }
  double greatest() const noexcept { return greatest_; }
  bool logarithmic() const noexcept { return logarithmic_; }

 private:
  double least_, greatest_;
  bool logarithmic_;
  double low_, width_;  // of the numbers or of their logarithms
};

/// The scale that shows all finite numbers; on a logarithmic one, all above zero. Nothing when there are none.
std::optional<scale> scale_of(const statistics::accumulator&, bool logarithmic) noexcept;

/// Round numbers on a scale, at most `most`, with their places from 0 to 1.
struct mark {
  double place;
  std::string label;
};
std::vector<mark> marks_of(const scale&, std::size_t most);

/// A number in six digits at most, but whole ones in full up to 10^15: "0.5", "1.2e-07", "16777216".
std::string number_text(double);

/// Round steps: the least 1, 2 or 5 times a power of ten of which at most `most` fit into `width`.
double round_step(double width, std::size_t most) noexcept;

/// A multiple of `step`, in as many decimals as it has.
std::string step_text(double number, double step);

}  // namespace tgmap::picture
