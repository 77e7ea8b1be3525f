// SPDX-License-Identifier: Apache-2.0
// Opens the index of an archive, and decides if it belongs to it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <tgmap/error.hpp>
#include <tgmap/options.hpp>

#include "index_file/reader.hpp"
#include "io/source.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

/// Opens the index file beside an archive, or the one at `options.index_path`. Returns nothing, and no failure, if
/// there is none. Errors: index_not_owned, not_an_index, unknown_index_version, index_damaged, out_of_memory, of the
/// operating system.
std::shared_ptr<const index_file::reader> open_index(const std::filesystem::path& archive, const open_options&,
                                                     failure&) noexcept;

/// Compares an index with the archive: its first and last bytes and samples in between, and the options of the scan.
/// `turn` chooses the samples; with different numbers all samples are compared in time.
/// Errors: index_mismatch, index_damaged, file_shrank, of the operating system.
/// Complexity: O(1), four samples at most.
failure compare_with_archive(const index_file::reader&, const io::source& archive, const open_options&,
                             std::uint64_t turn) noexcept;

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
