// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace tgmap::core {

/// Returns the number of characters to insert, remove, replace or swap with the next one to turn `a` into `b` (optimal
/// string alignment). Texts longer than 60 bytes, which nobody types, are not compared: their distance is the size of
/// the longer one. Complexity: O(a.size() * b.size()).
inline std::size_t edit_distance(std::string_view a, std::string_view b) noexcept {
  constexpr std::size_t max_size = 60;
  if (a.size() > max_size || b.size() > max_size) return std::max(a.size(), b.size());
  std::array<std::array<std::size_t, max_size + 1>, max_size + 1> at{};  // distances between prefixes
  for (std::size_t i = 0; i <= a.size(); ++i)
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        at[i][j] = i + j;
        continue;
      }
      const std::size_t replaced = at[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      at[i][j] = std::min({replaced, at[i - 1][j] + 1, at[i][j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        at[i][j] = std::min(at[i][j], at[i - 2][j - 2] + 1);
    }
  return at[a.size()][b.size()];
}

}  // namespace tgmap::core
