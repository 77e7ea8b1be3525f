// SPDX-License-Identifier: Apache-2.0
#include "cli/sorting.hpp"

#include "cli/complaint.hpp"
#include "cli/selection.hpp"

namespace tgmap::cli {

std::vector<sort_column> parse_sort(const std::string& text) {
  std::vector<sort_column> out;
  if (text.empty()) return out;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    std::string part = text.substr(begin, comma - begin);
    const bool descending = part.ends_with(":desc");
    if (descending || part.ends_with(":asc")) part.erase(part.rfind(':'));
    auto keys = parse_keys(part);
    if (keys.front().text().empty()) throw usage_error("--sort '" + text + "': a key is missing");
    out.push_back({std::move(keys.front()), descending});
    begin = comma + 1;
  }
  return out;
}

sort_values sort_reader::read(key_lookup& in) {
  sort_values out;
  out.reserve(keys_.size());
  for (const sort_column& each : keys_) out.push_back(*known_.emplace(in.find(each.key)).first);
  return out;
}

bool comes_before(const std::vector<sort_column>& keys, const sort_values& a, const sort_values& b) {
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const auto order = a[i] <=> b[i];
    if (std::is_eq(order)) continue;
    const bool missing = !a[i] || !b[i];
    return keys[i].descending && !missing ? std::is_gt(order) : std::is_lt(order);
  }
  return false;
}

}  // namespace tgmap::cli
