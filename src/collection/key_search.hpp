// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <tgmap/query/known_keys.hpp>
#include <vector>

#include "collection/selector.hpp"

namespace tgmap::archives {

/// A `key_search` looks for keys in messages of archives, until all of them are found or enough messages were examined.
/// Errors: throws tgmap::error.
class key_search {
 public:
  explicit key_search(const std::vector<metadata_key>& keys, std::uint64_t max_messages = UINT64_MAX)
      : keys_(keys), check_(keys), max_(max_messages) {}

  /// Looks in the messages of an address: in the keys of each message, those of its first object included;
  /// `of_objects`: in the keys of each object.
  void look_in_all(const archive_address&, const archive&, bool of_objects, const walk_progress&);

  /// Looks in what is selected; `of_objects`: in all objects of messages that are selected, too.
  void look_in_selected(const selector&, const archive_address&, const archive&, bool of_objects, const walk_progress&);

  /// Notes the keys of a selection that have a column in the index: a message that the index lists has them.
  void add_indexed(const indexed_selection&);

  /// Notes the keys without which a selection would have matched nothing. Call it if it matched something.
  void add_matched(const selection&);

  const std::vector<metadata_key>& keys() const noexcept { return keys_; }

  /// Returns true if there is no need to look further.
  bool is_complete() const noexcept { return check_.is_complete(); }
  bool is_cut() const noexcept { return is_cut_; }            ///< there are more messages
  bool has_failed() const noexcept { return has_failed_; }    ///< something that is selected cannot be read
  bool any_objects() const noexcept { return any_objects_; }  ///< messages that are selected have objects
  std::uint64_t examined() const noexcept { return examined_; }

  std::vector<metadata_key> missing() const { return check_.missing(); }
  std::string nearest(const metadata_key& to) const { return check_.nearest(to); }

 private:
  bool may_examine();
  void visit(const message&, std::uint64_t begin, std::uint64_t end);

  std::vector<metadata_key> keys_;
  key_check check_;
  std::uint64_t max_, examined_ = 0;
  bool is_cut_ = false, has_failed_ = false, any_objects_ = false;
};

}  // namespace tgmap::archives
