// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <tgmap/query/metadata_key.hpp>
#include <utility>
#include <vector>

namespace tgmap::cli {

/// One of the keys of --sort.
struct sort_column {
  tgmap::metadata_key key;
  bool descending = false;
};

/// "mars.step", "mars.param,mars.step:desc". Throws usage_error.
std::vector<sort_column> parse_sort(const std::string&);

using sort_values = std::vector<sort_key>;

/// Reads values to sort by. Rows that have the same text share it, so that memory follows what is different.
class sort_reader {
 public:
  explicit sort_reader(std::vector<sort_column> keys) : keys_(std::move(keys)) {}

  const std::vector<sort_column>& keys() const noexcept { return keys_; }
  /// Throws tgmap::error.
  sort_values read(key_lookup&);

 private:
  std::vector<sort_column> keys_;
  std::set<sort_key> known_;
};

/// Whether what has `a` comes before what has `b`. What has none of a key comes last, either way.
bool comes_before(const std::vector<sort_column>&, const sort_values& a, const sort_values& b);

}  // namespace tgmap::cli
