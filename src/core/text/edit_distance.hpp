// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace tgmap::core {

/// Returns how many edits turn `a` into `b`. An edit inserts, removes or replaces a character, or swaps it with the
/// next one (optimal string alignment). Texts longer than 60 bytes are not compared: their distance is the size of the
/// longer one. Complexity: O(a.size() * b.size()).
inline std::size_t edit_distance(std::string_view a, std::string_view b) noexcept {
  constexpr std::size_t max_size = 60;
  if (a.size() > max_size || b.size() > max_size) return std::max(a.size(), b.size());
  std::array<std::array<std::size_t, max_size + 1>, max_size + 1> distances{};  // of prefixes
  for (std::size_t i = 0; i <= a.size(); ++i)
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        distances[i][j] = i + j;
        continue;
      }
      const std::size_t replaced = distances[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      distances[i][j] = std::min({replaced, distances[i - 1][j] + 1, distances[i][j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        distances[i][j] = std::min(distances[i][j], distances[i - 2][j - 2] + 1);
    }
  return distances[a.size()][b.size()];
}

}  // namespace tgmap::core
