// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <tgmap/error.hpp>
#include <tgmap/message.hpp>
#include <utility>

namespace tgmap::edit {

/// A `hash_check` compares stored hashes with the bytes of archives, and counts objects without a hash.
///
/// Version 3: compares all frames. Version 2: compares only objects, because other frames have no hash there.
/// Thread safety: any number of threads may call all members.
class hash_check {
 public:
  /// Compares all hashes of a message. Returns `hash_mismatch` for the first one that does not match, with the number
  /// of the object if it belongs to one. Returns another failure if the message cannot be read.
  failure check(const std::string& file, const message&);

  /// Compares the hash of one object. The first call for a message also compares the hashes of its other frames.
  failure check(const std::string& file, const message&, std::size_t object);

  /// Compares the hash of an object whose bytes are used as stored.
  failure check_object(const std::string& file, const object&);

  /// Counts an object without a hash. For objects that are verified while they are decoded.
  void count(const std::string& file, const object&);

  /// The objects and messages of a file that have no hash.
  struct unverified {
    std::uint64_t objects = 0, messages = 0;  ///< objects without a hash; messages of version 1
    failure first{};                          ///< where the first one is: message, offset, object
  };

  /// Returns what has no hash, by file. Call it when no other call runs.
  const std::map<std::string, unverified>& without_hash() const noexcept { return unverified_; }

 private:
  void add(const std::string& file, std::uint64_t unverified::*which, const failure& place);
  void add_object(const std::string& file, const object&);

  mutable std::mutex mutex_;
  std::map<std::pair<std::string, std::uint64_t>, failure> checked_frames_;  ///< by file and offset of the message
  std::map<std::string, unverified> unverified_;                             ///< by file
};

/// Reads the descriptors and keys of a message, or of one object, which copying does not do. Returns why that fails,
/// with the number of the object. What this release or build does not support is no failure.
failure check_readable(const message&, std::optional<std::size_t> object);

}  // namespace tgmap::edit
