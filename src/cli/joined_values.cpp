// SPDX-License-Identifier: Apache-2.0
#include "cli/joined_values.hpp"

#include <fmt/format.h>

namespace tgmap::cli {

std::string joined_values(const std::vector<metadata_key>& keys, key_lookup& in) {
  std::string out;
  for (const metadata_key& each : keys) {
    const key_result found = in.find(each);
    const std::string text = found.text();
    out += found ? fmt::format("{}:{}", text.size(), text) : "-";
  }
  return out;
}

}  // namespace tgmap::cli
