// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <tgmap/archive.hpp>
#include <tgmap/query/known_keys.hpp>
#include <tgmap/query/metadata_key.hpp>
#include <tgmap/tools/address.hpp>
#include <utility>
#include <vector>

#include "collection/selector.hpp"

namespace tgmap::archives {

/// The bounds of a key_search.
struct key_search_options {
  bool in_objects = false;                  ///< also look in all objects of selected messages
  std::uint64_t max_messages = UINT64_MAX;  ///< the most messages that are visited
};

/// A `key_search` finds out which of some keys occur in the selected messages or objects of archives. It reads messages
/// until all keys are found, which is usually the first one.
class key_search {
 public:
  key_search(std::vector<metadata_key> keys, selector selected, const key_search_options& how = {})
      : check_(std::move(keys)), selected_(std::move(selected)), how_(how) {}

  /// Looks in the selected messages of an address. Errors: throws tgmap::error, and what `done` throws.
  void look_in(
      const archive_address&, const archive&, const walk_progress& done = [](std::uint64_t) {});

  /// Returns false if nothing more is to be learned: all keys were found, there were too many messages, or something
  /// could not be read.
  bool goes_on() const noexcept { return !check_.is_complete() && !is_cut_ && !has_failed_; }

  /// Notes that something could not be read. Nothing is absent then.
  void fail() noexcept { has_failed_ = true; }

  /// Returns the keys that occur nowhere. Returns nothing if there was nothing to look in.
  std::vector<metadata_key> absent() const {
    const bool has_no_objects = how_.in_objects && !any_objects_;
    return has_failed_ || has_no_objects ? std::vector<metadata_key>() : check_.missing();
  }

  /// Returns the existing key that is spelled most like this one, or empty text.
  std::string nearest(const metadata_key& wanted) const { return check_.nearest(wanted); }

  bool is_cut() const noexcept { return is_cut_; }  ///< there were more messages than `max_messages`

 private:
  bool see(const message&, key_lookup&);

  key_check check_;
  selector selected_;
  key_search_options how_;
  bool any_objects_ = false, has_failed_ = false, is_cut_ = false;
  std::uint64_t searched_ = UINT64_MAX;  ///< offset of the last message whose objects were searched
};

}  // namespace tgmap::archives
