// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <tgmap/metadata.hpp>
#include <vector>

#include "cli/print/difference.hpp"

namespace tgmap::cli {

/// Dotted paths of keys that may differ. Each includes all keys below it.
using ignored_keys = std::vector<std::string>;

/// Adds the differences between two sets of keys, including nested maps. `parent`, unless empty, is the path of the
/// enclosing map. Compares the meaning of values: integers of different width are equal, an integer and a floating
/// point number are not, NaN equals NaN, and the order of keys does not matter.
void compare_metadata(const metadata& left, const metadata& right, const ignored_keys&, const std::string& parent,
                      std::optional<std::size_t> object, difference_list& into);

}  // namespace tgmap::cli
