// SPDX-License-Identifier: Apache-2.0
// Eight numbers at a time, in vectors that every processor of the supported kinds has.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace tgmap::statistics {

using pack = double __attribute__((vector_size(16)));
using pack_mask = std::int64_t __attribute__((vector_size(16)));

inline constexpr std::size_t pack_size = 2, packs = 4, at_once = pack_size * packs;

/// Accumulators side by side: additions in one need not wait for those in another.
using pack_row = std::array<pack, packs>;

inline pack load_pack(const double* from) noexcept {
  pack out;
  std::memcpy(&out, from, sizeof out);
  return out;
}

inline pack pack_of(double x) noexcept { return pack{x, x}; }
inline pack_row row_of(double x) noexcept { return {pack_of(x), pack_of(x), pack_of(x), pack_of(x)}; }

/// Calls `take(i, pack)` for numbers whose count is a multiple of eight; `i` is that of the accumulators.
template <class F>
void each_pack(const double* numbers, std::size_t count, F&& take) noexcept {
  for (std::size_t n = 0; n < count; n += at_once)
    for (std::size_t i = 0; i < packs; ++i) take(i, load_pack(numbers + n + i * pack_size));
}

/// All numbers of a row brought together.
template <class F>
double folded(const pack_row& row, F&& join) noexcept {
  double out = row[0][0];
  for (std::size_t i = 0; i < packs; ++i)
    for (std::size_t e = i == 0 ? 1 : 0; e < pack_size; ++e) out = join(out, row[i][e]);
  return out;
}

}  // namespace tgmap::statistics
