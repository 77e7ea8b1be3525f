// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>

namespace tgmap_fuzz {

/// Says what must hold of any bytes whatever, and ends the process when it does not.
inline void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

/// Two descriptions of one thing are one text. Shows the line where they part.
inline void require_same(const std::string& one, const std::string& other, const char* what) {
  if (one == other) return;
  std::size_t at = 0;
  while (at < one.size() && at < other.size() && one[at] == other[at]) ++at;
  const std::size_t line = at == 0 ? 0 : one.rfind('\n', at - 1) + 1;
  std::fprintf(stderr, "one:   %s\nother: %s\n", one.substr(line, 200).c_str(), other.substr(line, 200).c_str());
  require(false, what);
}

}  // namespace tgmap_fuzz
