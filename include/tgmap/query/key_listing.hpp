// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <tgmap/archive.hpp>
#include <tgmap/cbor_view.hpp>
#include <tgmap/error.hpp>
#include <tgmap/export.hpp>
#include <tgmap/query/key_columns.hpp>
#include <vector>

namespace tgmap {
inline namespace v0 {

/// A `key_summary` says where a key occurs and which values it has.
struct key_summary {
  std::string key{};
  std::uint64_t messages = 0;      ///< messages that have it, or an object that has it
  std::uint64_t values = 0;        ///< different values, as distinct_value has them, without null
  bool has_more_values = false;    ///< there may be more: not all were counted
  std::vector<cbor_kind> kinds{};  ///< that occur, in the order of the enumeration; of tags the item inside
};

/// Options of list_keys. Aggregate.
struct key_listing_options {
  /// Leaves out messages whose keys cannot be read, and lists them in `key_listing::unread`. Default: false, they are
  /// an error.
  bool skip_unread = false;

  /// After a stop request no further message is read, and the call fails with `std::errc::operation_canceled`.
  /// Default: none.
  std::stop_token stop{};
};

/// A `key_listing` lists the keys of archives. Lifetime: independent of them.
struct key_listing {
  std::vector<key_summary> keys{};       ///< by their names
  std::vector<unread_message> unread{};  ///< messages that were left out, in order
  bool is_by_index = false;              ///< indexes have told it, and no message was read
  bool omits_more = false;               ///< there are more than 16,384 keys, with those of maps
};

/// Returns the keys that messages and their objects have: those of key_columns_options::all_keys. Completes the scan.
/// With a current index that lists all keys, reads no message; otherwise reads the metadata of each once. Counts at
/// most 65,536 values of a key and 1,048,576 of all, so a file cannot ask for more memory. An index has not counted
/// maps, long values, and all of those that are nearly unique.
/// Errors: those of archive::size, archive::at, message::summary and message::base; index_damaged, out_of_memory.
/// Complexity: O(bytes of the metadata), or of the columns of the index. Spec: docs/index_format.md.
TGMAP_API key_listing list_keys(const archive&, const key_listing_options& = {});
TGMAP_API key_listing list_keys(const archive&, const key_listing_options&, failure&) noexcept;

/// A `key_list_reader` lists the keys of several archives as those of one.
/// Thread safety: one thread at a time.
class TGMAP_API key_list_reader {
 public:
  /// Errors: throws std::bad_alloc.
  explicit key_list_reader(const key_listing_options& = {});
  key_list_reader(key_list_reader&&) noexcept;
  key_list_reader& operator=(key_list_reader&&) noexcept;
  ~key_list_reader();

  /// Adds the keys of an archive. What was counted before an error stays. Errors: those of list_keys.
  void add(const archive&);
  void add(const archive&, failure&) noexcept;

  /// Returns the keys of all archives, and begins again. Errors: throws std::bad_alloc.
  key_listing finish();

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace v0
}  // namespace tgmap
