// SPDX-License-Identifier: Apache-2.0
#include "cbor/sorted_map.hpp"

#include <algorithm>

namespace tgmap::cbor {

bool sorted_map::has(std::string_view key) const noexcept {
  return std::any_of(entries_.begin(), entries_.end(), [&](const entry& e) { return e.key == key; });
}

void sorted_map::finish(std::vector<std::byte>& to) {
  for (std::size_t i = 0; i < entries_.size(); ++i)
    entries_[i].end = i + 1 < entries_.size() ? entries_[i + 1].at : values_.size();
  const auto before = [](const entry& a, const entry& b) { return key_before(a.key, b.key); };
  if (!std::is_sorted(entries_.begin(), entries_.end(), before)) std::sort(entries_.begin(), entries_.end(), before);

  writer out(to);
  out.map(entries_.size());
  for (const entry& e : entries_) {
    out.text(e.key);
    out.encoded(std::span(values_).subspan(e.at, e.end - e.at));
  }
  clear();
}

}  // namespace tgmap::cbor
