// SPDX-License-Identifier: Apache-2.0
// State that all handles of an archive share. Handles hold a plain pointer to it; archives and pins own it.
#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <tgmap/archive.hpp>
#include <vector>

#include "archive/lookup/checked_offsets.hpp"
#include "archive/lookup/message_structure.hpp"
#include "archive/lookup/object_cache.hpp"
#include "archive/scan/message_table.hpp"
#include "archive/scan/open_index.hpp"
#include "archive/scan/scanner.hpp"
#include "io/source.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

class archive_state : public std::enable_shared_from_this<archive_state> {
 public:
  archive_state(std::unique_ptr<io::source> bytes, const open_options& options) noexcept
      : archive_state(*bytes, options, nullptr) {
    own_bytes_ = std::move(bytes);
  }

  const io::source& bytes() const noexcept { return *bytes_; }
  const open_options& options() const noexcept { return options_; }
  const scanner& scan() const noexcept { return scanner_; }
  scanner& scan() noexcept { return scanner_; }

  /// Takes an index that belongs to the archive, and begins with what it lists if it is current. Called before the
  /// state is shared. Errors: those of scanner::begin_with.
  failure begin_with(fitting_index found, index_trust trust) noexcept {
    index_ = std::move(found);
    trust_ = trust;
    return index_.stamp ? scanner_.begin_with({index_.index, *bytes_}) : failure{};
  }

  /// Returns the index that belongs to the archive, also if it is not current; null if there is none.
  const std::shared_ptr<const index_file::reader>& index() const noexcept { return index_.index; }
  index_trust trust() const noexcept { return trust_; }

  /// Returns whether the archive began with its index, and has not changed since.
  bool is_index_current() const noexcept { return index_.stamp && bytes_->stamp() == index_.stamp; }

  /// Returns whether the scan began with the messages of the index.
  bool begins_with_index() const noexcept { return index_.stamp.has_value(); }

  /// Why an index was not used.
  failure index_refusal{};

  /// The absolute path of the file that was opened; empty without one.
  std::filesystem::path path{};

  /// Returns a state of the same bytes that uses no index: it is scanned. It is made once and owned by this one, which
  /// is returned if it uses no index itself. Errors: out_of_memory.
  const archive_state& without_index(failure& why) const noexcept {
    if (!scanner_.listed()) return *this;
    const std::lock_guard lock(scanned_mutex_);
    if (!scanned_) {
      open_options options = options_;
      options.index = index_use::none;
      scanned_.reset(new (std::nothrow) archive_state(*bytes_, options, this));
    }
    if (scanned_) return *scanned_;
    why = {.code = errc::out_of_memory, .found = sizeof(archive_state)};
    return *this;
  }

  /// Returns a pointer that keeps this state alive.
  std::shared_ptr<const archive_state> share() const noexcept {
    return owner_ == nullptr ? weak_from_this().lock()
                             : std::shared_ptr<const archive_state>(owner_->weak_from_this().lock(), this);
  }

  /// Prefetches the header of the fourth message after this one, for programs that read messages in sequence. Assumes
  /// that messages have equal sizes. A cache miss takes as long as reading a few headers.
  void expect_header_after(const message_position& message) const noexcept {
    constexpr std::uint64_t ahead = 4;
    bytes_->expect(message.offset() + ahead * message.length(), header_read_size);
  }
  /// Returns the cache of objects that were accessed.
  object_cache& objects() const noexcept { return objects_; }

  /// Returns the cache of offsets that part readers have checked.
  checked_offsets& places() const noexcept { return places_; }

 private:
  archive_state(const io::source& bytes, const open_options& options, const archive_state* owner) noexcept
      : bytes_(&bytes),
        owner_(owner),
        options_(without_borrowed(options)),
        scanner_(bytes, options_),
        objects_(bytes.size()),
        places_(bytes.size()) {}

  static open_options without_borrowed(open_options options) noexcept {
    options.index_path = options.trust_index_of = {};
    return options;
  }

  std::unique_ptr<io::source> own_bytes_{};
  const io::source* bytes_;
  const archive_state* owner_;  ///< the state that owns this one; null: handles own it
  open_options options_;
  scanner scanner_;
  fitting_index index_{};
  index_trust trust_{};
  mutable object_cache objects_;
  mutable checked_offsets places_;
  mutable std::mutex scanned_mutex_{};                      ///< guards the next member
  mutable std::unique_ptr<const archive_state> scanned_{};  ///< of without_index()
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
