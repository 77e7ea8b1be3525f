// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <tgmap/archive.hpp>
#include <tgmap/error.hpp>
#include <tgmap/options.hpp>

namespace tgmap {
inline namespace v0 {

/// The state of a file, by which a change of its bytes is noticed. It is the same on all machines that see the file.
struct file_state {
  std::uint64_t size = 0;       ///< in bytes
  std::int64_t changed_at = 0;  ///< time of the last change, in nanoseconds since 1970

  bool operator==(const file_state&) const noexcept = default;

  /// Returns the state that a file has now. Links are followed.
  /// Errors: io.
  TGMAP_API static file_state of(const std::filesystem::path&);
  TGMAP_API static file_state of(const std::filesystem::path&, failure&) noexcept;

  /// Returns the state that the file of an open archive has now, whatever its path leads to; nothing for archives
  /// without a file.
  TGMAP_API static std::optional<file_state> of(const archive&) noexcept;

  /// Compares the state that is known of a file with the one that it has now.
  /// Errors: archive_changed (expected, found = the two sizes, or times).
  [[nodiscard]] TGMAP_API failure compare(const file_state& now) const noexcept;
};

/// An `archive_file` is an archive in a file that had a known state when its messages were found.
struct archive_file {
  std::filesystem::path path{};
  file_state state{};
  std::uint64_t offset = 0;           ///< of the archive in the file
  std::uint64_t length = UINT64_MAX;  ///< of the archive; default: up to the end of the file
  std::uint64_t max_decoded_bytes = open_options().max_decoded_bytes;  ///< as in `open_options`
};

/// An `archive_cache` opens archives by their path and keeps the ones that were used last, but no more than half as
/// many as the process may have descriptors. If there is no descriptor left, it drops all and tries again.
///
/// Archives are opened with `io_mode::read` and without an index, since places of objects need no scan. A file is asked
/// for its state at each open(), by one stat: if it is another one than the caller knows, nothing is read. A change
/// between two steps of the clock of the file system that keeps the size is not noticed.
/// Thread safety: any number of threads may call all members.
class TGMAP_API archive_cache {
 public:
  /// `max_open`: number of archives that are kept; at least 1.
  explicit archive_cache(std::size_t max_open = 256);
  archive_cache(const archive_cache&) = delete;
  archive_cache& operator=(const archive_cache&) = delete;
  ~archive_cache();

  /// Returns the cache of the process. After `fork()` the child has another, empty one.
  /// Lifetime: never destroyed, so that destructors of static objects may use it.
  /// Errors: out_of_memory, as std::bad_alloc.
  static archive_cache& of_process();

  /// Returns an archive, which is opened if it is not open. The handle keeps it open, also when the cache drops it.
  /// Errors: archive_changed (expected, found = the two sizes, or times; or the numbers of two files of the same state,
  /// if another one took the path), those of archive::archive. The exception names the file.
  archive open(const archive_file&);
  archive open(const archive_file&, failure&) noexcept;

  /// Sets the number of archives that are kept, and drops those that were not used for the longest time.
  void set_max_open(std::size_t) noexcept;
  std::size_t max_open() const noexcept;

  /// Returns the number of archives that are kept now.
  std::size_t open_count() const noexcept;

  /// Returns how often files were opened.
  std::uint64_t opened() const noexcept;

  /// Drops all archives. Those in use stay open until their last handle is gone.
  void clear() noexcept;

 private:
  struct entries;
  std::unique_ptr<entries> entries_;
};

}  // namespace v0
}  // namespace tgmap
