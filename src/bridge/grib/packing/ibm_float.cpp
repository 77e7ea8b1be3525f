// SPDX-License-Identifier: Apache-2.0
#include "bridge/grib/packing/ibm_float.hpp"

#include <cmath>

namespace tgmap {
inline namespace v0 {
namespace bridge::grib {

namespace {

constexpr unsigned fraction_bits = 24;
constexpr std::uint32_t fraction_end = std::uint32_t{1} << fraction_bits;
constexpr int exponent_bias = 64;
constexpr std::uint32_t sign_bit = 0x80000000u;

}  // namespace

double from_ibm_float(std::uint32_t bits) noexcept {
  const auto fraction = static_cast<double>(bits & (fraction_end - 1));
  const int exponent = static_cast<int>(bits >> fraction_bits & 0x7f) - exponent_bias;
  const double magnitude = std::ldexp(fraction, 4 * exponent - static_cast<int>(fraction_bits));
  return (bits & sign_bit) != 0 ? -magnitude : magnitude;
}

std::optional<std::uint32_t> ibm_float_below(double value) noexcept {
  if (!std::isfinite(value)) return std::nullopt;
  if (value == 0) return 0;
  int binary;
  std::frexp(value, &binary);                                     // |value| < 2^binary
  int exponent = binary > 0 ? (binary + 3) / 4 : -(-binary / 4);  // |value| < 16^exponent
  if (exponent < -exponent_bias) exponent = -exponent_bias;
  const double scaled = std::floor(std::ldexp(value, static_cast<int>(fraction_bits) - 4 * exponent));
  double magnitude = std::fabs(scaled);
  if (magnitude == fraction_end) {  // a negative number that was rounded to the next power
    magnitude /= 16;
    ++exponent;
  }
  if (exponent + exponent_bias > 0x7f) return std::nullopt;
  const auto fraction = static_cast<std::uint32_t>(magnitude);
  if (fraction == 0) return 0;
  const auto power = static_cast<std::uint32_t>(exponent + exponent_bias) << fraction_bits;
  return (value < 0 ? sign_bit : 0) | power | fraction;
}

std::optional<std::uint32_t> exact_ibm_float(double value) noexcept {
  const auto out = ibm_float_below(value);
  return out && from_ibm_float(*out) == value ? out : std::nullopt;
}

}  // namespace bridge::grib
}  // namespace v0
}  // namespace tgmap
