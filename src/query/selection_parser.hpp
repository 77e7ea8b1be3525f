// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "query/selection_tree.hpp"

namespace tgmap::query {

/// Parses a selection in the full syntax.
/// Errors: bad_selection, out_of_memory; throws std::bad_alloc.
node parse_selection(std::string_view, failure&);

/// Parses one clause as the reference implementation does. Errors: as parse_selection.
node parse_single_clause(std::string_view, failure&);

}  // namespace tgmap::query
