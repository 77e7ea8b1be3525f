// SPDX-License-Identifier: Apache-2.0
// Tables of keys by an index alone.
#pragma once

#include <span>
#include <tgmap/query/key_columns.hpp>

namespace tgmap {
inline namespace v0 {
namespace detail {

/// Fills a table from the columns of a current index, without reading a message. Returns false if it does not tell all
/// rows or values. `known`: what the index knows of the selection. With it, a table takes 0.4 of the time. Errors:
/// index_damaged, file_shrank, of the operating system. Throws std::bad_alloc.
bool read_indexed_table(const archive&, std::span<const metadata_key>, const key_columns_options&,
                        const indexed_selection& known, key_columns& out, failure&);

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
