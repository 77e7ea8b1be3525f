// SPDX-License-Identifier: Apache-2.0
#include "cli/spelling.hpp"

#include <algorithm>

#include "core/text/edit_distance.hpp"

namespace tgmap::cli {

std::string nearest_word(std::string_view wanted, const std::vector<std::string>& words) {
  if (wanted.size() > 60) return {};
  std::string best;
  const std::size_t letters = wanted.size() - std::min(wanted.find_first_not_of('-'), wanted.size());
  std::size_t least = letters / 3 + 2;  // a letter or two in short words
  for (const std::string& word : words) {
    const std::size_t far = word.starts_with(wanted) && !wanted.empty() ? 1 : core::edit_distance(wanted, word);
    if (far < least && far < word.size()) {
      least = far;
      best = word;
    }
  }
  return best;
}

}  // namespace tgmap::cli
