// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "query/selection_tree.hpp"

namespace tgmap::query {

/// Makes ranges of the alternatives around the words "to" and "by", as users of MARS write them: "0", "to", "24", "by",
/// "6" become one range in steps. Words in quotes, and the only value of a condition, are text.
///
/// Returns the number of the alternative that cannot be meant, or nothing: a word with a value missing beside it, a
/// step of anything but numbers, or a step that number_steps::make refuses. Errors: throws std::bad_alloc.
std::optional<std::size_t> join_ranges(std::vector<alternative>&);

}  // namespace tgmap::query
