// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>

namespace tgmap {
inline namespace v0 {

/// IEEE 754 binary16 as it lies in a payload. Trivial: storage and exact widening, no arithmetic.
struct float16 {
  std::uint16_t bits;

  /// The same value as a float, exactly; NaN payloads and the sign of zero are kept.
  explicit operator float() const noexcept {
    const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000u) << 16;
    const std::uint32_t exponent = (bits >> 10) & 0x1fu;
    const std::uint32_t fraction = bits & 0x3ffu;
    if (exponent == 0x1f) return std::bit_cast<float>(sign | 0x7f800000u | (fraction << 13));
    if (exponent != 0) return std::bit_cast<float>(sign | ((exponent + 112u) << 23) | (fraction << 13));
    const float magnitude = static_cast<float>(fraction) * 0x1p-24f;  // subnormal: exact in float
    return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(magnitude));
  }
  friend bool operator==(float16, float16) noexcept = default;  ///< compares bits: NaN equals itself, +0 is not -0
};

/// The upper half of an IEEE 754 binary32, as machine learning stores it. Trivial: storage and exact widening.
struct bfloat16 {
  std::uint16_t bits;

  explicit operator float() const noexcept { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16); }
  friend bool operator==(bfloat16, bfloat16) noexcept = default;  ///< compares bits
};

static_assert(sizeof(float16) == 2 && sizeof(bfloat16) == 2);

}  // namespace v0
}  // namespace tgmap
