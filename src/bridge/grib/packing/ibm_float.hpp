// SPDX-License-Identifier: Apache-2.0
// IBM floats, as GRIB 1 stores reference values: a sign, 7 bits of a power of 16 and 24 bits of a fraction.
#pragma once

#include <cstdint>
#include <optional>

namespace tgmap {
inline namespace v0 {
namespace bridge::grib {

/// Returns the value of an IBM float, which a double holds exactly.
double from_ibm_float(std::uint32_t) noexcept;

/// Returns the largest IBM float, normalized, that is not above `value`: integers of a packing that counts from it are
/// not negative. Nothing for NaN, infinities and numbers outside of the range of IBM floats. Numbers nearer to 0 than
/// the smallest IBM float become 0, or the negative one that is nearest to 0.
std::optional<std::uint32_t> ibm_float_below(double value) noexcept;

/// Returns the IBM float of exactly this value, normalized; nothing if there is none.
std::optional<std::uint32_t> exact_ibm_float(double value) noexcept;

}  // namespace bridge::grib
}  // namespace v0
}  // namespace tgmap
