// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <tgmap/message.hpp>
#include <tgmap/write/writer.hpp>
#include <vector>

namespace tgmap::edit {

/// A `message_layout` describes which index and hash frames a message has, and whether they match its objects. Programs
/// use it to find messages that need no change.
class message_layout {
 public:
  /// Errors: throws tgmap::error.
  explicit message_layout(const message&);

  /// Returns true if the message has one index, at that place, the preamble announces it, and it lists every object
  /// correctly. With `none`, returns true if there is no index. A message without objects needs none.
  bool has_index(index_placement) const noexcept;

  /// Returns the same for the hash list.
  bool has_hash_list(index_placement) const noexcept;

  /// Returns true if all frames (version 3) or all objects (version 2) have a hash, and their flags say so.
  bool has_hashes() const noexcept { return has_hashes_; }

  /// Returns true if all hashes are correct. Complexity: reads the whole message.
  bool hashes_match() const;

  /// Returns true if all hashes exist, are correct, and are listed in the header, the footer or both. Complexity: as
  /// hashes_match.
  bool has_current_hashes() const;

  /// Returns true if the message has neither hashes, nor flags for them, nor a hash list. Errors: throws tgmap::error.
  bool has_no_hashes() const;

 private:
  struct list {
    bool in_header = false, in_footer = false, is_correct = true;
    bool is_at(index_placement where, bool needed) const noexcept;
  };
  void inspect(const frame&);

  message message_;
  std::vector<frame> objects_{}, others_{};
  std::vector<std::optional<std::uint64_t>> hashes_{};  ///< stored hashes of the objects
  std::vector<object> objects_v2_{};                    ///< version 2 stores hashes in descriptors
  list index_{}, hash_list_{};
  bool has_hashes_ = true;
};

}  // namespace tgmap::edit
