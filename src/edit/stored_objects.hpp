// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <tgmap/archive.hpp>
#include <tgmap/write/new_message.hpp>
#include <tgmap/write/writer.hpp>
#include <vector>

namespace tgmap::edit {

/// Compares the hash of an object that gets a new one, and adds a mismatch to `damage`. Errors: throws tgmap::error;
/// with `on_mismatch::refuse` also for a mismatch.
hash_result check_hash(const object&, on_mismatch, std::vector<failure>& damage);

/// Replaces the complete frame of an object by its descriptor and payload. Writing the object then makes a new frame,
/// so that the descriptor or the hash may change. Errors: throws tgmap::error.
void unpack_frame(stored_object&);

/// Adds hashes to objects without one, and leaves other hashes as they are, right or wrong. The hash list keeps its
/// place, or goes where the index is. Errors: throws tgmap::error.
void add_hashes(stored_message&);

/// Gives every object the correct hash, and adds hashes that did not match to its `mismatches`. Errors: as check_hash;
/// tgmap::error.
void renew_hashes(stored_message&, on_mismatch);

/// Removes all hashes, which are verified first. Errors: as renew_hashes.
void remove_hashes(stored_message&, on_mismatch);

/// A `reencoded_object` is an object encoded in memory, to be checked and then put into a message.
class reencoded_object {
 public:
  /// Encodes an object for that wire version, with or without a hash. Errors: throws tgmap::error as a writer does,
  /// without numbers of message and object.
  reencoded_object(const new_object&, int version, bool hashes);
  reencoded_object(reencoded_object&&) = default;  // the bytes do not move
  reencoded_object& operator=(reencoded_object&&) = default;

  /// Returns the object for decoding. Lifetime: borrows from this.
  object decodable() const { return archive_[0][0]; }

  /// Returns the object for a message of the same wire version. Lifetime: borrows from this.
  stored_object stored() const;

 private:
  std::vector<std::byte> bytes_;
  archive archive_;
};

}  // namespace tgmap::edit
