// SPDX-License-Identifier: Apache-2.0
// From doubles to cells.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <tgmap/dtype.hpp>
#include <type_traits>

namespace tgmap {
inline namespace v0 {
namespace constant {
namespace json {

struct cell_rules {
  bool nearest = false;  ///< bfloat16: to the nearest
  bool whole = false;    ///< int8: no fractions
};

inline bfloat16 to_bfloat16(double value, bool nearest) noexcept {
  const float rounded = static_cast<float>(value);
  std::uint32_t bits = std::bit_cast<std::uint32_t>(rounded);
  // Dropping bits must not make a NaN infinite.
  if (std::isnan(value)) return {static_cast<std::uint16_t>(bits >> 16 | 0x40)};
  if (nearest) {
    // Rounded twice it may be a neighbour: so the first rounding goes toward zero, and what it drops is kept as a bit.
    const double back = static_cast<double>(rounded);
    if (std::fabs(back) > std::fabs(value)) --bits;
    if (back != value) bits |= 1;
    bits += 0x7FFF + (bits >> 16 & 1);
  }
  return {static_cast<std::uint16_t>(bits >> 16)};
}

/// Whether the cell type holds the value; then it is put there.
template <class Cell>
bool put_cell(double value, Cell& out, const cell_rules& rules) noexcept {
  if constexpr (std::is_same_v<Cell, bfloat16>) {
    out = to_bfloat16(value, rules.nearest);
  } else if constexpr (std::is_same_v<Cell, std::int8_t>) {
    const float whole = std::trunc(static_cast<float>(value));
    if (!(whole >= -128 && whole <= 127)) return false;
    if (rules.whole && static_cast<double>(whole) != value) return false;
    out = static_cast<std::int8_t>(whole);
  } else {
    out = static_cast<Cell>(value);
  }
  return true;
}

}  // namespace json
}  // namespace constant
}  // namespace v0
}  // namespace tgmap
