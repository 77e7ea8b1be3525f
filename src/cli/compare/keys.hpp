// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <tgmap/metadata.hpp>
#include <vector>

#include "cli/compare/difference.hpp"

namespace tgmap::cli {

/// Keys that may differ: dotted paths, each with all that is below it.
using ignored_keys = std::vector<std::string>;

/// Adds what differs between two sets of keys, below nested maps too; `above`, unless empty, is the map around them.
/// Values are compared as what they mean: a number of another width is the same, an integer and a floating point number
/// are not; NaN equals NaN; maps are equal whatever their order.
void compare_keys(const metadata& left, const metadata& right, const ignored_keys&, const std::string& above,
                  std::optional<std::size_t> object, difference_list& into);

}  // namespace tgmap::cli
