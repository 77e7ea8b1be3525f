// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <tgmap/export.hpp>
#include <tgmap/message.hpp>
#include <tgmap/metadata.hpp>
#include <tgmap/query/metadata_key.hpp>
#include <vector>

namespace tgmap {
inline namespace v0 {

/// A `known_keys` collects the keys of messages, for completion and for "did you mean". It stops at 2,000 names and at
/// 100,000 items, so that it is fast for any file. Keys that cannot be read are left out.
/// Lifetime: independent of the archive. Thread safety: one thread at a time.
class TGMAP_API known_keys {
 public:
  /// Adds the dotted keys of a message and of its first 16 objects, without maps themselves, and without names of more
  /// than 100 bytes. Errors: throws std::bad_alloc. Complexity: O(bytes of the metadata).
  void add(const message&);

  const std::set<std::string>& names() const noexcept TGMAP_LIFETIMEBOUND { return names_; }

  /// Returns the key or property that is spelled most like `wanted`. Empty if none is similar. Errors: throws
  /// std::bad_alloc.
  std::string nearest(std::string_view wanted) const;

 private:
  bool is_full() const noexcept;
  void add(const metadata&);
  void add(const std::string& path, const cbor_view& item, int depth);

  std::set<std::string> names_{};
  std::size_t items_ = 0;
};

/// A `key_check` notes which of some keys occur in the messages that a program visits, in one pass with its work. For a
/// key that occurs nowhere, it suggests an existing key with a similar name. All calls may throw std::bad_alloc.
/// Lifetime, thread safety: as known_keys.
class TGMAP_API key_check {
 public:
  /// Number of messages whose keys are collected for the suggestion.
  static constexpr std::size_t max_collected = 1000;

  explicit key_check(std::vector<metadata_key> keys);

  /// Looks for the keys in a message or one of its objects. Does nothing once all of them were found.
  void visit(const message&, key_lookup&);

  /// Notes that a key occurs.
  void add_found(std::string_view key);

  bool is_complete() const noexcept { return missing_.empty(); }

  /// Returns the keys that occurred nowhere. Empty if no message was visited, or if the keys of a message could not be
  /// read.
  std::vector<metadata_key> missing() const;

  /// Returns the existing key that is spelled most like this one, or empty text.
  std::string nearest(const metadata_key& wanted) const { return known_.nearest(wanted.text()); }

 private:
  std::vector<metadata_key> missing_;
  known_keys known_{};
  std::size_t visited_ = 0;
  std::uint64_t last_ = UINT64_MAX;  ///< offset of the last message whose keys were collected
  bool has_unreadable_keys_ = false;
};

}  // namespace v0
}  // namespace tgmap
