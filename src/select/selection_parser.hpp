// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "select/selection_tree.hpp"

namespace tgmap::select {

/// Reads the full grammar. Errors: bad_selection, out_of_memory. Throws std::bad_alloc.
node parse_selection(std::string_view, failure&);

/// Reads one clause as the reference implementation does. Errors and exceptions: as parse_selection.
node parse_single_clause(std::string_view, failure&);

}  // namespace tgmap::select
