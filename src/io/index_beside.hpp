// SPDX-License-Identifier: Apache-2.0
// The index file that lies beside an archive.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <tgmap/error.hpp>

namespace tgmap::io {

/// The first bytes of an index file.
inline constexpr std::string_view index_magic = "TGMINDEX";

/// Returns the path of the index beside NAME: `NAME.tgx`. Throws std::bad_alloc.
std::filesystem::path index_path_beside(const std::filesystem::path& archive);

/// Returns the path of the index of an archive: that beside it. If NAME is a link without an index beside it, that of
/// the file to which it leads. Throws std::bad_alloc.
std::filesystem::path index_path_of(const std::filesystem::path& archive);

/// Removes the index of an archive in an open folder, as remove_index_of() does.
bool remove_index_in(int folder, const std::string& archive, failure&);

/// Removes the index of an archive that was replaced. Returns false, and no failure, if there is none, or another file
/// of that name. Errors: of the operating system. Throws std::bad_alloc.
bool remove_index_of(const std::filesystem::path& archive, failure&);

}  // namespace tgmap::io
