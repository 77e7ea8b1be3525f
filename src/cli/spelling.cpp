// SPDX-License-Identifier: Apache-2.0
#include "cli/spelling.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace tgmap::cli {

namespace {

/// Letters to insert, remove or replace to make one word of the other.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t before = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j)
      before = std::exchange(row[j + 1], std::min({row[j] + 1, row[j + 1] + 1, before + (a[i] == b[j] ? 0 : 1)}));
  }
  return row.back();
}

}  // namespace

std::string nearest_word(std::string_view wanted, const std::vector<std::string>& words) {
  if (wanted.size() > 60) return {};
  std::string best;
  const std::size_t letters = wanted.size() - std::min(wanted.find_first_not_of('-'), wanted.size());
  std::size_t least = letters / 3 + 2;  // a letter or two in short words
  for (const std::string& word : words) {
    const std::size_t far = word.starts_with(wanted) && !wanted.empty() ? 1 : distance(wanted, word);
    if (far < least && far < word.size()) {
      least = far;
      best = word;
    }
  }
  return best;
}

}  // namespace tgmap::cli
