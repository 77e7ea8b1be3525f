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

/// Opens an index file. Unless it is the one at `options.index_path`, it and the links to it must belong to this user,
/// to root or to the owner of the archive.
/// Errors: index_not_owned, not_an_index (also of a file that is not regular), unknown_index_version, index_damaged,
/// out_of_memory, of the operating system. Throws std::bad_alloc.
std::shared_ptr<const index_file::reader> open_index(const std::filesystem::path& index, const io::source& archive,
                                                     const open_options&, failure&);

/// Returns the digest of sample `i` of the first `covered` bytes of an archive, which must have them.
/// Errors: file_shrank, of the operating system.
std::uint64_t digest_sample(const io::source& archive, std::uint64_t seed, std::uint64_t i, std::uint64_t covered,
                            failure&) noexcept;

/// Compares sample `i` of an index, which must exist, with the archive, which must have the covered bytes.
/// Errors: index_mismatch, index_damaged, file_shrank, of the operating system.
failure compare_sample(const index_file::reader&, const io::source& archive, std::uint64_t i) noexcept;

/// Compares an index with the archive: its first and last bytes and samples in between, and the options of the scan.
/// `turn` chooses the samples; with different numbers all samples are compared in time. Compares all samples at once if
/// the archive was changed at another time than the index says: it may have been copied, or rewritten.
/// Errors: index_mismatch, index_damaged, file_shrank, of the operating system.
/// Complexity: O(1), four samples, or 64.
failure compare_with_archive(const index_file::reader&, const io::source& archive, const open_options&,
                             std::uint64_t turn) noexcept;

/// Opens an index file that belongs to the archive. The samples that are compared differ from time to time.
/// Errors: those of open_index and compare_with_archive. Throws std::bad_alloc.
std::shared_ptr<const index_file::reader> open_fitting_index(const std::filesystem::path& index,
                                                             const io::source& archive, const open_options&, failure&);

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
