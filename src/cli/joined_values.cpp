// SPDX-License-Identifier: Apache-2.0
#include "cli/joined_values.hpp"

#include <fmt/format.h>

namespace tgmap::cli {

std::string joined_values(const std::vector<key>& keys, key_scope& in) {
  std::string out;
  for (const key& each : keys) {
    const key_value found = in.find(each);
    const std::string text = found.text();
    out += found ? fmt::format("{}:{}", text.size(), text) : "-";
  }
  return out;
}

}  // namespace tgmap::cli
