// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <tgmap/tools/collection.hpp>
#include <vector>

namespace tgmap {
inline namespace v0 {
namespace detail {

/// Returns the number of gaps and incomplete tails that a scan has found, and the cause of the first one.
std::uint64_t damage_of(const archive&, failure& cause);

/// A `collection_state` opens and closes the archives of a collection, counts their messages, and notes their failures.
/// Thread safety: any number of threads.
class collection_state {
 public:
  /// Errors: invalid_option.
  collection_state(std::vector<archive_place>, const collection_options&, failure&);

  const std::vector<archive_place>& places() const noexcept { return places_; }
  std::size_t open_count() const;

  /// Returns the archive, and opens it if it is closed. Notes a failure.
  archive open(std::size_t number, failure&);

  /// Returns the number of messages of the archive. Notes failures and damage.
  std::uint64_t count(std::size_t number);

  /// Returns the number of the first message of the archive in the collection; `number` may be that of all archives.
  std::uint64_t first_message(std::size_t number);

  /// Returns the archive that has the message with this number in the collection. Errors: out_of_range.
  std::size_t archive_of(std::uint64_t message, failure&);

  std::vector<collection_failure> failures() const;

 private:
  /// The file that an archive was opened from first.
  struct file_identity {
    std::uint64_t device = 0, node = 0, size = 0;
    std::int64_t seconds = 0, nanoseconds = 0;  ///< of the time of last change
  };
  struct entry {
    std::optional<file_identity> file{};
    std::optional<std::uint64_t> messages{};
  };
  struct open_archive {
    std::size_t number;
    archive handle;
  };
  using open_list = std::list<open_archive>;

  archive open_place(std::size_t number, const open_options&, failure&) const;
  archive open_file(std::size_t number, bool& may_close, failure&);
  open_list take_oldest();
  void note(std::size_t number, const failure&, std::uint64_t count);
  void count_all();

  std::vector<archive_place> places_;
  open_options options_;
  decltype(collection_options::opener) opener_;
  std::string trusted_users_;
  std::size_t max_open_;
  executor* executor_;

  mutable std::mutex mutex_{};  ///< of all that follows
  std::vector<entry> entries_;
  open_list recent_{};  ///< used last comes first
  std::map<std::size_t, open_list::iterator> open_{};
  std::size_t opening_ = 0;
  std::map<std::size_t, archive> unclosable_{};  ///< pipes and devices
  std::map<std::size_t, collection_failure> failures_{};
  std::vector<std::uint64_t> first_messages_{0};  ///< of the archives counted so far, and of the next one
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
