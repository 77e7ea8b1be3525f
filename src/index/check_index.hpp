// SPDX-License-Identifier: Apache-2.0
// Compares an open index with its archive.
#pragma once

#include <tgmap/archive.hpp>
#include <tgmap/tools/index.hpp>

#include "index_file/reader.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

/// Does what check_index does, with an index that is open. May throw std::bad_alloc, and what `index_options::progress`
/// throws.
index_summary check_open_index(const archive&, const index_file::reader&, const index_options&, failure&);

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
