// SPDX-License-Identifier: Apache-2.0
// Extends an open index.
#pragma once

#include <memory>
#include <tgmap/archive.hpp>
#include <tgmap/tools/index.hpp>

#include "index_file/reader.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

/// Does what update_index does, with an index that is open. May throw std::bad_alloc, and what
/// `index_options::progress` throws.
index_summary extend_index(const archive&, std::shared_ptr<const index_file::reader> old, sink&, const index_options&,
                           failure&);

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
