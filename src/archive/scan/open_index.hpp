// SPDX-License-Identifier: Apache-2.0
// Opens the index of an archive, and decides if it belongs to it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <tgmap/error.hpp>
#include <tgmap/options.hpp>

#include "index_file/reader.hpp"
#include "io/source.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

/// Opens an index file of `archive`. Unless it is the one at `options.index_path`, the owners of it and of the links to
/// it must be users whose indexes are used; see check_index_owner. Errors: index_not_owned, not_an_index (also of a
/// file that is not regular), unknown_index_version, index_damaged, out_of_memory, of the operating system. Throws
/// std::bad_alloc.
std::shared_ptr<const index_file::reader> open_index(const std::filesystem::path& index, const io::source& archive,
                                                     const open_options&, failure&);

/// Returns the digest of sample `i` of the first `covered` bytes of an archive, which must have them.
/// Errors: file_shrank, of the operating system.
std::uint64_t digest_sample(const io::source& archive, std::uint64_t seed, std::uint64_t i, std::uint64_t covered,
                            failure&) noexcept;

/// Compares sample `i` of an index, which must exist, with the archive, which must have the covered bytes.
/// Errors: index_mismatch, index_damaged, file_shrank, of the operating system.
failure compare_sample(const index_file::reader&, const io::source& archive, std::uint64_t i) noexcept;

/// Returns whether an index was stamped for an archive in this state, at its place in the file.
bool is_stamped_for(const index_file::reader&, const io::source& archive, const io::file_stamp&) noexcept;

/// Returns the stamp of the archive as it is now, if the index is current: if it was stamped in this state.
std::optional<io::file_stamp> current_stamp(const index_file::reader&, const io::source& archive) noexcept;

/// Compares an index with the archive: its first and last bytes and samples in between, and the options of the scan.
/// `turn` chooses the samples; with different numbers all samples are compared in time. Compares all samples at once if
/// the index is not current: the archive may have been copied or extended, but also rewritten.
/// Errors: index_mismatch, index_damaged, file_shrank, of the operating system.
/// Complexity: O(1), four samples, or 64.
failure compare_with_archive(const index_file::reader&, const io::source& archive, const open_options&, bool is_current,
                             std::uint64_t turn) noexcept;

/// An index that belongs to an archive.
struct fitting_index {
  std::shared_ptr<const index_file::reader> index{};
  /// The state of the archive that the index describes. Nothing: it is not current, and answers nothing.
  std::optional<io::file_stamp> stamp{};

  explicit operator bool() const noexcept { return index != nullptr; }
};

/// Opens an index file that belongs to the archive. The samples that are compared differ from time to time.
/// Errors: those of open_index and compare_with_archive. Throws std::bad_alloc.
fitting_index open_fitting_index(const std::filesystem::path& index, const io::source& archive, const open_options&,
                                 failure&);

/// Compares an index that is open with the archive in the same way. Returns no index if it does not belong to it.
fitting_index fit(std::shared_ptr<const index_file::reader>, const io::source& archive, const open_options&, failure&);

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
