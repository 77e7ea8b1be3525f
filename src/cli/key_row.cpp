// SPDX-License-Identifier: Apache-2.0
#include "cli/key_row.hpp"

#include <algorithm>

#include "cli/escape.hpp"

namespace tgmap::cli {

void append_value(const key_value& found, std::string& line) {
  const std::size_t begin = line.size();
  found.append_to(line);
  const auto plain = [](char c) { return c >= 0x20 && c < 0x7f; };
  if (std::all_of(line.begin() + static_cast<std::ptrdiff_t>(begin), line.end(), plain)) return;
  line.replace(begin, line.npos, escaped(std::string_view(line).substr(begin)));
}

json key_members(std::span<const key> keys, key_scope& in) {
  json out = json::object();
  for (const key& k : keys)
    if (const key_value found = in.find(k)) out[k.text()] = found.text();
  return out;
}

}  // namespace tgmap::cli
