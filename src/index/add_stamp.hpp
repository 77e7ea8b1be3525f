// SPDX-License-Identifier: Apache-2.0
// Adds a stamp to an index file that is in use.
#pragma once

#include <filesystem>
#include <tgmap/error.hpp>

#include "index_file/reader.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

/// Writes the page of stamps of an index to its file. Errors: of the operating system.
failure write_stamps(int descriptor, const index_file::reader&, const index_file::stamp_page&) noexcept;

/// Adds the stamp of an archive that the index describes to its file, by one write. Other processes see all of it, or a
/// page without stamps. `path` must still name the file of the index.
/// Errors: index_mismatch (it names another file), of the operating system.
failure add_stamp(const std::filesystem::path& path, const index_file::reader&, const io::file_stamp&) noexcept;

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
