// SPDX-License-Identifier: Apache-2.0
// Writes a map whose keys come in any order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "cbor/canonical/writer.hpp"

namespace tgmap::cbor {

/// A `sorted_map` collects the pairs of a map with text keys and writes them in canonical order. Keeps its memory for
/// the next map. Keys are borrowed and must be unique. Throws std::bad_alloc.
class sorted_map {
 public:
  /// Returns a writer for the value of a key, to be used before the next key.
  writer value(std::string_view key) {
    entries_.push_back({.key = key, .begin = values_.size()});
    return writer(values_);
  }

  bool has(std::string_view key) const noexcept;

  /// Appends the map to `to` and begins a new one. Complexity: O(n log n) in the keys.
  void finish(std::vector<std::byte>& to);

  void clear() noexcept {
    entries_.clear();
    values_.clear();
  }

 private:
  struct entry {
    std::string_view key;
    std::size_t begin = 0, end = 0;  // of its value
  };
  std::vector<entry> entries_{};
  std::vector<std::byte> values_{};
};

inline bool sorted_map::has(std::string_view key) const noexcept {
  return std::any_of(entries_.begin(), entries_.end(), [&](const entry& e) { return e.key == key; });
}

inline void sorted_map::finish(std::vector<std::byte>& to) {
  for (std::size_t i = 0; i < entries_.size(); ++i)
    entries_[i].end = i + 1 < entries_.size() ? entries_[i + 1].begin : values_.size();
  const auto before = [](const entry& a, const entry& b) { return key_before(a.key, b.key); };
  if (!std::is_sorted(entries_.begin(), entries_.end(), before)) std::sort(entries_.begin(), entries_.end(), before);

  writer out(to);
  out.map(entries_.size());
  for (const entry& e : entries_) {
    out.text(e.key);
    out.encoded(std::span(values_).subspan(e.begin, e.end - e.begin));
  }
  clear();
}

}  // namespace tgmap::cbor
