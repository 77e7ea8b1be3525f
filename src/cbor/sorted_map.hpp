// SPDX-License-Identifier: Apache-2.0
// Makes one map whose keys come in any order.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "cbor/writer.hpp"

namespace tgmap::cbor {

/// Gathers the pairs of a map with text keys, and puts them out in their order. Keeps its memory for the next map.
/// Keys are borrowed until then, each comes once. Throws std::bad_alloc.
class sorted_map {
 public:
  /// Where the value of that key is written, before the next key.
  writer value(std::string_view key) {
    entries_.push_back({.key = key, .at = values_.size()});
    return writer(values_);
  }

  bool has(std::string_view key) const noexcept;

  /// Appends the map, and begins a new one. O(n log n) in the keys.
  void finish(std::vector<std::byte>& to);

  void clear() noexcept {
    entries_.clear();
    values_.clear();
  }

 private:
  struct entry {
    std::string_view key;
    std::size_t at = 0, end = 0;  // of its value
  };
  std::vector<entry> entries_{};
  std::vector<std::byte> values_{};
};

}  // namespace tgmap::cbor
