// SPDX-License-Identifier: Apache-2.0
// Conversion of numbers to cells.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <tgmap/dtype.hpp>
#include <type_traits>

namespace tgmap {
inline namespace v0 {
namespace constant {

struct cell_rules {
  bool round_to_nearest = false;  ///< for bfloat16
  bool reject_fractions = false;  ///< for int8
};

inline bfloat16 to_bfloat16(double value, bool round_to_nearest) noexcept {
  const float rounded = static_cast<float>(value);
  std::uint32_t bits = std::bit_cast<std::uint32_t>(rounded);
  // Dropping bits must not turn a NaN into infinity.
  if (std::isnan(value)) return {static_cast<std::uint16_t>(bits >> 16 | 0x40)};
  if (round_to_nearest) {
    // Rounding twice can give the wrong neighbour. So the first rounding is toward zero, and a sticky bit keeps what it
    // drops.
    const double back = static_cast<double>(rounded);
    if (std::fabs(back) > std::fabs(value)) --bits;
    if (back != value) bits |= 1;
    bits += 0x7FFF + (bits >> 16 & 1);
  }
  return {static_cast<std::uint16_t>(bits >> 16)};
}

/// Converts a number to a cell. Returns false if the cell type cannot hold it.
template <class Cell>
bool store_cell(double value, Cell& out, const cell_rules& rules) noexcept {
  if constexpr (std::is_same_v<Cell, bfloat16>) {
    out = to_bfloat16(value, rules.round_to_nearest);
  } else if constexpr (std::is_same_v<Cell, std::int8_t>) {
    const float whole = std::trunc(static_cast<float>(value));
    if (!(whole >= -128 && whole <= 127)) return false;
    if (rules.reject_fractions && static_cast<double>(whole) != value) return false;
    out = static_cast<std::int8_t>(whole);
  } else {
    out = static_cast<Cell>(value);
  }
  return true;
}

/// Returns `work(Cell())` with the C++ type of the cells.
template <class Work>
decltype(auto) visit_cell_type(dtype type, Work&& work) {
  if (type == dtype::float32) return work(float());
  if (type == dtype::bfloat16) return work(bfloat16{});
  if (type == dtype::int8) return work(std::int8_t());
  return work(double());
}

}  // namespace constant
}  // namespace v0
}  // namespace tgmap
