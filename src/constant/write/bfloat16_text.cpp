// SPDX-License-Identifier: Apache-2.0
#include "constant/write/bfloat16_text.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

namespace tgmap {
inline namespace v0 {
namespace constant {

namespace {

constexpr int least_power = -48, most_power = 48;

/// Powers of ten, as exactly as doubles tell them.
constexpr std::array<double, most_power - least_power + 1> powers_of_ten = {
    1e-48, 1e-47, 1e-46, 1e-45, 1e-44, 1e-43, 1e-42, 1e-41, 1e-40, 1e-39, 1e-38, 1e-37, 1e-36, 1e-35,
    1e-34, 1e-33, 1e-32, 1e-31, 1e-30, 1e-29, 1e-28, 1e-27, 1e-26, 1e-25, 1e-24, 1e-23, 1e-22, 1e-21,
    1e-20, 1e-19, 1e-18, 1e-17, 1e-16, 1e-15, 1e-14, 1e-13, 1e-12, 1e-11, 1e-10, 1e-9,  1e-8,  1e-7,
    1e-6,  1e-5,  1e-4,  1e-3,  1e-2,  1e-1,  1e0,   1e1,   1e2,   1e3,   1e4,   1e5,   1e6,   1e7,
    1e8,   1e9,   1e10,  1e11,  1e12,  1e13,  1e14,  1e15,  1e16,  1e17,  1e18,  1e19,  1e20,  1e21,
    1e22,  1e23,  1e24,  1e25,  1e26,  1e27,  1e28,  1e29,  1e30,  1e31,  1e32,  1e33,  1e34,  1e35,
    1e36,  1e37,  1e38,  1e39,  1e40,  1e41,  1e42,  1e43,  1e44,  1e45,  1e46,  1e47,  1e48};

constexpr double power_of_ten(int exponent) noexcept {
  return powers_of_ten[static_cast<std::size_t>(exponent - least_power)];
}

}  // namespace

float bfloat16_as_text(bfloat16 cell) noexcept {
  const std::uint32_t upper = static_cast<std::uint32_t>(cell.bits & 0x7fffu) << 16;
  if (upper == 0) return static_cast<float>(cell);
  const auto exact = static_cast<double>(std::bit_cast<float>(upper));
  // What is read as a float with these upper bits, and is nearer to the cell than to the next one. The little that is
  // taken off below is less than half the step of floats, and more than what doubles are wrong by.
  const double least = exact * (1 - 0x1p-27), most = std::bit_cast<float>(upper | 0x7fff);
  int exponent = static_cast<int>((static_cast<int>(upper >> 23) - 127) * 0.30103);  // of ten; off by one, or by 7
  double scaled = least * power_of_ten(3 - exponent);                                // where the cell is denormal
  while (scaled >= 10000) scaled = least * power_of_ten(3 - ++exponent);
  while (scaled < 1000) scaled = least * power_of_ten(3 - --exponent);
  const double limit = most * power_of_ten(3 - exponent);
  double digits = 0;
  for (const double step : {1000., 100., 10., 1.}) {
    digits = std::ceil(scaled * (1 / step)) * step;
    if (digits <= limit) break;
  }
  // Of so few digits the product is wrong by less than a float can tell.
  const auto out = static_cast<float>(digits * power_of_ten(exponent - 3));
  return (cell.bits & 0x8000u) != 0 ? -out : out;
}

}  // namespace constant
}  // namespace v0
}  // namespace tgmap
