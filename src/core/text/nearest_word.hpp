// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/edit_distance.hpp"

namespace tgmap::core {

/// Returns the word that is spelled most like `wanted`, for "did you mean"; empty if none is similar. Hyphens at the
/// beginning of an option do not count. Complexity: O(bytes of the words), at most 60 for each.
inline std::string nearest_word(std::string_view wanted, const std::vector<std::string>& words) {
  if (wanted.size() > 60) return {};
  std::string best;
  const std::size_t letters = wanted.size() - std::min(wanted.find_first_not_of('-'), wanted.size());
  std::size_t best_distance = letters / 3 + 2;  // a letter or two in short words
  for (const std::string& word : words) {
    const std::size_t distance = word.starts_with(wanted) && !wanted.empty() ? 1 : edit_distance(wanted, word);
    if (distance < best_distance && distance < word.size()) {
      best_distance = distance;
      best = word;
    }
  }
  return best;
}

}  // namespace tgmap::core
