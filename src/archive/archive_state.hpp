// SPDX-License-Identifier: Apache-2.0
// State that all handles of an archive share. Handles hold a plain pointer to it; archives and pins own it.
#pragma once

#include <memory>
#include <mutex>
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
      : bytes_(std::move(bytes)),
        options_(without_borrowed(options)),
        scanner_(*bytes_, options_),
        objects_(bytes_->size()),
        places_(bytes_->size()) {}

  const io::source& bytes() const noexcept { return *bytes_; }
  const open_options& options() const noexcept { return options_; }
  const scanner& scan() const noexcept { return scanner_; }
  scanner& scan() noexcept { return scanner_; }

  /// Takes an index that belongs to the archive, and begins with what it lists if it is current. Called before the state
  /// is shared. Errors: those of scanner::begin_with.
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
  static open_options without_borrowed(open_options options) noexcept {
    options.index_path = options.trust_index_of = {};
    return options;
  }

  std::unique_ptr<io::source> bytes_;
  open_options options_;
  scanner scanner_;
  fitting_index index_{};
  index_trust trust_{};
  mutable object_cache objects_;
  mutable checked_offsets places_;
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
