// SPDX-License-Identifier: Apache-2.0
// What an index says of its columns.
#pragma once

#include <tgmap/tools/index.hpp>
#include <vector>

#include "index/read_column.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

/// Adds a column of an index, or a part of one, to the columns that were added. Throws std::bad_alloc.
void add_column_part(std::vector<index_column>& to, const named_column& from);

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
