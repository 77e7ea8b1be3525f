// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <tgmap/message.hpp>
#include <tgmap/metadata.hpp>
#include <tgmap/query/metadata_key.hpp>
#include <vector>

namespace tgmap::archives {

/// A `known_keys` object collects the keys of messages, for "did you mean". It stops at limits that
/// keep it fast for any file. Keys that cannot be read are left out.
class known_keys {
 public:
  /// Adds the dotted keys of a message and of its first objects, without maps themselves.
  void add(const message&);

  const std::set<std::string>& names() const noexcept { return names_; }

  /// Returns the key or property that is spelled most like `wanted`. Empty if none is similar.
  std::string nearest(std::string_view wanted) const;

 private:
  bool is_full() const noexcept;
  void add(const metadata&);
  void add(const std::string& path, const cbor_view& item, int depth);

  std::set<std::string> names_{};
  std::size_t items_ = 0;
};

/// A `key_check` notes which of some keys occur in the messages that are visited, in one pass with other work.
/// For a key that occurs nowhere, it suggests an existing key with a similar name.
class key_check {
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
  std::string nearest(const metadata_key& wanted) const { return known_.nearest(wanted.text()); }

 private:
  std::vector<metadata_key> missing_;
  known_keys known_{};
  std::size_t visited_ = 0;
  std::uint64_t last_ = UINT64_MAX;  ///< offset of the last message whose keys were collected
  bool has_unreadable_keys_ = false;
};

}  // namespace tgmap::archives
