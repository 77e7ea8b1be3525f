// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <tgmap/sort_value.hpp>
#include <vector>

namespace tgmap::cli {

/// One of the keys of --sort.
struct sort_key {
  tgmap::key key;
  bool descending = false;
};

/// "mars.step", "mars.param,mars.step:desc". Throws usage_error.
std::vector<sort_key> parse_sort(const std::string&);

using sort_values = std::vector<sort_value>;

/// Throws tgmap::error.
sort_values values_of(const std::vector<sort_key>&, key_scope&);

/// Whether what has `a` comes before what has `b`. What has none of a key comes last, either way.
bool comes_before(const std::vector<sort_key>&, const sort_values& a, const sort_values& b);

}  // namespace tgmap::cli
