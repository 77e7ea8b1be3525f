// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tgmap/message.hpp>
#include <tgmap/write/writer.hpp>
#include <vector>

namespace tgmap::cli {

/// How a message lies, by all of its frames: which lists it has, and whether they say what is so. To find out that
/// nothing is to be done about it.
class arrangement {
 public:
  /// Throws tgmap::error.
  explicit arrangement(const message&);

  /// The index is there, nowhere else, announced, and names every object where it lies; `none`: there is none. A
  /// message without objects needs none.
  bool has_index(index_placement) const noexcept;

  /// The same of the list of digests, which are those of the objects.
  bool has_hash_list(index_placement) const noexcept;

  /// Everything that may have a digest has one, and says so: frames of version 3, objects of version 2.
  bool has_digests() const noexcept { return digests_; }

  /// These digests are what the bytes come to. Reads all of them.
  bool digests_match() const;

  /// Nothing has a digest, says so, or lists any. Throws tgmap::error.
  bool free_of_digests() const;

 private:
  struct list {
    bool header = false, footer = false, right = true;
    bool is(index_placement where, bool needed) const noexcept;
  };
  void look_into(const frame&);

  message of_;
  std::vector<frame> objects_{}, others_{};
  std::vector<std::optional<std::uint64_t>> hashes_{};  ///< of objects, as they are stored
  std::vector<object> read_{};                          ///< of version 2, whose digests are in descriptors
  list index_{}, hash_list_{};
  bool digests_ = true;
};

}  // namespace tgmap::cli
