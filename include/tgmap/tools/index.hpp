// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <tgmap/archive.hpp>
#include <tgmap/decode/executor.hpp>
#include <tgmap/write/sink.hpp>
#include <vector>

namespace tgmap {
inline namespace v0 {

/// An `index_column` describes a column: the values of a metadata key, and the messages that have them.
struct index_column {
  std::string key{};
  std::uint64_t values = 0;        ///< different values; in an extended index those of the part that has the most
  std::uint64_t messages = 0;      ///< messages that have the key, as far as the column tells
  std::uint64_t bytes = 0;         ///< bytes that it takes in the index
  bool describes_objects = false;  ///< objects of a message have different values, which the column lists, too
  bool operator==(const index_column&) const noexcept = default;
};

/// An `index_summary` counts what an index describes.
struct index_summary {
  std::uint64_t covered_bytes = 0;  ///< bytes of the archive that are indexed; an incomplete end is not
  std::uint64_t messages = 0;
  std::uint64_t objects = 0;  ///< those that the index lists
  std::uint64_t layouts = 0;  ///< different combinations of dtype, shape and pipeline
  std::uint64_t gaps = 0;
  std::uint64_t index_bytes = 0;  ///< size of the index
  std::uint64_t structure = 0;    ///< digest of all messages, objects, layouts and gaps
  bool stopped = false;           ///< ended by the stop_token
  std::string made_by{};          ///< name and version of the program, as in the file, not escaped; see describe_index
  std::uint64_t made_at = 0;      ///< when it was made, in nanoseconds since 1970; see describe_index
  std::vector<index_column> columns{};

  /// The index is current: it was stamped with the size and the time of last change of the archive. False if the
  /// archive is not a file, changed meanwhile, or has a time that tells no state from another, or if the index cannot
  /// be written or was made for another place in the file.
  bool is_stamped = false;
};

/// The options of making and checking an index. Aggregate.
struct index_options {
  /// Ends the call early. What was written is of no use then.
  std::stop_token stop{};

  /// Receives the number of archive bytes that are done, from time to time, for progress bars. May throw.
  std::function<void(std::uint64_t done_bytes)> progress{};

  /// Keys that get a column whatever values they have: paths of keys of maps, without brackets, `extra.` and `@`.
  std::vector<std::string> keys{};

  /// Gives a column to each other key that at least one of a hundred messages has, unless most of its values are not
  /// text, numbers or booleans, or are nearly unique. In archives of fewer than 100 messages no values count as that.
  /// Default: true.
  bool default_keys = true;

  /// The threads that read the messages. The index is the same with any number of threads.
  /// Default: null, the calling thread alone.
  tgmap::executor* executor = nullptr;
};

/// Writes the index of an archive. With it, a new process opens the archive without a scan, as long as the index is
/// current; see `index_status`. Messages are numbered as under `on_damage::skip`, and gaps are listed. The archive may
/// grow meanwhile; what is appended later is not indexed, and the index is not current then.
///
/// An index is stamped only if every later change of the archive gets another time. So this call, and each that
/// follows, waits for the clock of the file system to be 20 ms later than the time of the archive, or 2 s if that has
/// whole seconds or is on a network. The sink may be called from threads of the executor, one at a time. Errors:
/// no_archive, file_shrank, io, archive_changed (the archive was rewritten meanwhile), out_of_memory, bad_key
/// (`options.keys[found]` cannot have a column), index_mismatch (a gap whose cause an index cannot hold),
/// std::errc::file_too_large (an archive of 2^48 bytes or more), those of the sink.
/// Complexity: one scan, and O(bytes of index, descriptors and metadata) a message. Holds 4 MiB, the different layouts,
/// 8 bytes a message, and all columns, about one byte a message for each. Spec: docs/index_format.md.
TGMAP_API index_summary create_index(const archive&, sink&, const index_options& = {});
TGMAP_API index_summary create_index(const archive&, sink&, const index_options&, failure&);

/// Writes the index of an archive again, with the keys of `old`; `options.default_keys` is ignored. If `old` is
/// current, as after a check of an archive that has grown, copies its records, and adds those of the messages behind
/// them; only samples of the others are read. Otherwise reads everything, as create_index. After 64 additions it makes
/// a new index, too, since a search reads each part of a column. `to` must not write to the file at `old`. Errors:
/// those of create_index; not_an_index, unknown_index_version, index_damaged, index_mismatch (`old` does not belong to
/// the archive), invalid_option (`options.keys` is not empty). Complexity: as create_index. From a current index
/// O(bytes of `old`), and as create_index for the appended messages. Spec: docs/index_format.md.
TGMAP_API index_summary update_index(const archive&, const std::filesystem::path& old, sink&,
                                     const index_options& = {});
TGMAP_API index_summary update_index(const archive&, const std::filesystem::path& old, sink&, const index_options&,
                                     failure&);

/// Writes the index beside an archive, at index_path(): updates the one that is there as update_index does, or else
/// makes one. Replaces an index that is damaged or does not belong to the archive, but neither other files nor indexes
/// of other users. The index appears as a whole. `options.keys` and `default_keys` are used for new indexes only.
/// Errors: those of create_index and archive::open; not_an_index, index_not_owned, of the operating system.
/// Complexity: as update_index, or create_index.
/// Spec: docs/index_format.md.
TGMAP_API index_summary write_index(const std::filesystem::path& archive, const index_options& = {});
TGMAP_API index_summary write_index(const std::filesystem::path& archive, const index_options&, failure&);

/// Returns the path of the index of an archive: `NAME.tgx`. If NAME is a link without an index beside it, that of the
/// file to which it leads. Errors: throws std::bad_alloc.
TGMAP_API std::filesystem::path index_path(const std::filesystem::path& archive);

/// Removes the index of an archive that was replaced. Returns false if there is none, or another file of that name.
/// Errors: of the operating system, out_of_memory.
TGMAP_API bool remove_index(const std::filesystem::path& archive);
TGMAP_API bool remove_index(const std::filesystem::path& archive, failure&);

/// Compares an index with the archive: every page of the index, every sample, every message, object, layout and gap of
/// a new scan, also if the archive was opened with an index. What follows the covered bytes is not compared. Then
/// stamps the file of the index, so that it is current, for example after the archive was copied;
/// `index_summary::is_stamped` says if that was possible. Errors: no_archive, not_an_index, unknown_index_version,
/// index_damaged, index_mismatch, archive_changed (the archive was rewritten meanwhile), file_shrank, out_of_memory,
/// io. Complexity: as create_index. Spec: docs/index_format.md.
TGMAP_API index_summary check_index(const archive&, const std::filesystem::path& index, const index_options& = {});
TGMAP_API index_summary check_index(const archive&, const std::filesystem::path& index, const index_options&, failure&);

/// Returns an archive of the same bytes that uses no index: whatever it says of them was read. Every call returns the
/// same archive, which is scanned once. Returns the given one if that uses no index.
/// Errors: no_archive, out_of_memory.
/// Complexity: constant; the scan is that of an archive that was opened just now.
/// Lifetime: the given archive keeps it, so its handles are valid as long as those of the given one.
TGMAP_API archive without_index(const archive&);
TGMAP_API archive without_index(const archive&, failure&) noexcept;

/// A `cached_index` is an index in the cache folder of the user; see `open_options::index_cache`.
struct cached_index {
  std::filesystem::path path{};  ///< empty if there is none
  index_summary summary{};
};

/// Finds the index of an archive in the cache folder of the user: the one that covers the most. Compares it with the
/// archive as archive::open does. The summary is that of describe_index.
/// Errors: no_archive, out_of_memory, io; if none fits, why the last one does not.
/// Complexity: O(indexes of archives with the same beginning).
/// Spec: docs/index_format.md.
TGMAP_API cached_index find_cached_index(const archive&);
TGMAP_API cached_index find_cached_index(const archive&, failure&);

/// Makes the index of an archive in the cache folder of the user, and removes those that it replaces there. Equal
/// archives share an index, which is stamped for each. Without a message there is nothing to index, and the path is
/// empty. The index appears as a whole: other processes may use the old one, or make one, too. Errors: those of
/// create_index; io, also if the user has no cache folder. Complexity: as create_index. Spec: docs/index_format.md.
TGMAP_API cached_index create_cached_index(const archive&, const index_options& = {});
TGMAP_API cached_index create_cached_index(const archive&, const index_options&, failure&);

/// Extends the index of an archive in the cache folder of the user, and removes the old one. Without an index there the
/// path is empty.
/// Errors: those of update_index and find_cached_index.
/// Complexity: as update_index.
/// Spec: docs/index_format.md.
TGMAP_API cached_index update_cached_index(const archive&, const index_options& = {});
TGMAP_API cached_index update_cached_index(const archive&, const index_options&, failure&);

/// Returns what an index says of itself: its trailer, and its columns. `covered_bytes` may be those of another archive.
/// Only this call and find_cached_index set `made_by` and `made_at`.
/// Errors: not_an_index, unknown_index_version, index_damaged, out_of_memory, io.
/// Complexity: O(page runs and columns).
/// Spec: docs/index_format.md.
TGMAP_API index_summary describe_index(const std::filesystem::path& index);
TGMAP_API index_summary describe_index(const std::filesystem::path& index, failure&);

}  // namespace v0
}  // namespace tgmap
