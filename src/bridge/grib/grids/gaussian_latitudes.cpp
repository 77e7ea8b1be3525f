// SPDX-License-Identifier: Apache-2.0
#include "bridge/grib/grids/gaussian_latitudes.hpp"

#include <cmath>
#include <numbers>

namespace tgmap::bridge::grib {

namespace {

/// The value of a Legendre polynomial, and its derivative by the angle from the pole.
struct legendre_value {
  double value, derivative;
};

/// The factors of the recurrence: P(k) = a(k) x P(k-1) - b(k) P(k-2). They make its loop free of divisions.
class legendre_polynomial {
 public:
  explicit legendre_polynomial(std::size_t degree) : degree_(static_cast<double>(degree)) {
    factors_.reserve(degree);
    for (std::size_t k = 1; k <= degree; ++k) {
      const auto step = static_cast<double>(k);
      factors_.push_back({(2 * step - 1) / step, (step - 1) / step});
    }
  }

  legendre_value at(double angle) const {
    const double x = std::cos(angle);
    double before = 0, value = 1;
    for (const auto& [a, b] : factors_) {
      const double next = a * x * value - b * before;
      before = value;
      value = next;
    }
    return {value, degree_ * (x * value - before) / std::sin(angle)};
  }

 private:
  struct factors {
    double a, b;
  };
  double degree_;
  std::vector<factors> factors_{};
};

}  // namespace

std::vector<double> gaussian_latitudes(std::size_t n) {
  constexpr double half_circle = 180, right_angle = 90;
  const legendre_polynomial polynomial(2 * n);
  const double degree = 2 * static_cast<double>(n);
  std::vector<double> out(2 * n);
  for (std::size_t i = 0; i < n; ++i) {
    // An asymptotic root, whose error is of the order of the degree to the power of -4.
    const double even = std::numbers::pi * (4 * static_cast<double>(i) + 3) / (4 * degree + 2);
    double angle = even + 1 / (8 * degree * degree * std::tan(even));
    constexpr int max_steps = 10;  // 2 or 3 are enough
    for (int step = 0; step < max_steps; ++step) {
      const legendre_value at = polynomial.at(angle);
      const double change = at.value / at.derivative;
      angle -= change;
      if (std::fabs(change) < 1e-14) break;
    }
    out[i] = right_angle - angle * half_circle / std::numbers::pi;
    out[2 * n - 1 - i] = -out[i];
  }
  return out;
}

}  // namespace tgmap::bridge::grib
