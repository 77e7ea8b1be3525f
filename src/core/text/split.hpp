// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

namespace tgmap::core {

/// Returns the parts of `text` between separators, blanks included. An empty text has one empty part.
inline std::vector<std::string_view> split(std::string_view text, char separator = ',') {
  std::vector<std::string_view> out;
  while (true) {
    const std::size_t end = std::min(text.find(separator), text.size());
    out.push_back(text.substr(0, end));
    if (end == text.size()) return out;
    text.remove_prefix(end + 1);
  }
}

}  // namespace tgmap::core
