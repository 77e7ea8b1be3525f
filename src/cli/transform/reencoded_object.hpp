// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <tgmap/archive.hpp>
#include <tgmap/write/writer.hpp>
#include <vector>

namespace tgmap::cli {

/// A `reencoded_object` is an object encoded in memory, to be checked and then put into a message.
class reencoded_object {
 public:
  /// Encodes an object for that wire version, with or without a hash. Errors: throws tgmap::error as a writer does,
  /// without a place.
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

}  // namespace tgmap::cli
