// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <tgmap/archive.hpp>
#include <tgmap/write/writer.hpp>
#include <vector>

namespace tgmap::cli {

/// An object that was encoded, in memory, to be looked at and then put into a message.
class encoded_anew {
 public:
  /// Of that wire version, with a digest or without. Throws tgmap::error: what a writer refuses, without its place.
  encoded_anew(const new_object&, int version, bool hashes);
  encoded_anew(encoded_anew&&) = default;  // the bytes stay where they are
  encoded_anew& operator=(encoded_anew&&) = default;

  /// What was made, to be decoded. Borrows from this, as do the others.
  object made() const { return from_[0][0]; }

  /// For a message of the same wire version.
  stored_object stored() const;

 private:
  std::vector<std::byte> bytes_;
  archive from_;
};

}  // namespace tgmap::cli
