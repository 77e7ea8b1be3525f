// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>

namespace tgmap_fuzz {

/// Ends the process with a message unless a property holds that must hold for every input.
inline void require(bool holds, const char* property) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", property);
  std::abort();
}

/// Requires that two texts are equal. Prints the first line that differs.
inline void require_same(const std::string& one, const std::string& other, const char* property) {
  if (one == other) return;
  std::size_t at = 0;
  while (at < one.size() && at < other.size() && one[at] == other[at]) ++at;
  const std::size_t line = at == 0 ? 0 : one.rfind('\n', at - 1) + 1;
  std::fprintf(stderr, "one:   %s\nother: %s\n", one.substr(line, 200).c_str(), other.substr(line, 200).c_str());
  require(false, property);
}

}  // namespace tgmap_fuzz
