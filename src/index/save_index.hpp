// SPDX-License-Identifier: Apache-2.0
// Writes index files to their places.
#pragma once

#include <filesystem>
#include <memory>
#include <tgmap/archive.hpp>
#include <tgmap/tools/index.hpp>

#include "index/index_cache.hpp"
#include "index/open_index_calls.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

/// Makes the index of an archive at `path`, which appears as a whole and replaces an index that is there. It extends
/// `old`, if there is one. Then opens it. If the call was stopped, there is none. May throw std::bad_alloc, and what
/// `index_options::progress` throws. Errors: those of create_index or update_index, of the operating system.
located_index save_index(const archive&, const old_index& old, const std::filesystem::path& path, unsigned permissions,
                         const index_options&, index_summary&, failure&);

/// Checks that this user may replace the index at `path`: there is none, it is this user's own, or this user is root.
/// The index of another user would change its owner, and not be used any more. Errors: index_not_owned.
failure check_replaceable(const std::filesystem::path&) noexcept;

/// The same as save_index in the cache folder. There is no index without a message. Stamps of equal archives are kept.
located_index save_cached_index(const archive&, const old_index& old, const index_options&, index_summary&, failure&);

/// Returns whether a file that is not the index of an archive may be replaced by it: an index of other bytes, of
/// another version or a damaged one, or no file. `why`: the failure of open_fitting_index.
bool may_be_replaced(const failure& why);

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
