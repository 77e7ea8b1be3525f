// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tgmap/archive.hpp>
#include <tgmap/error.hpp>
#include <tgmap/export.hpp>
#include <tgmap/query/metadata_key.hpp>
#include <vector>

namespace tgmap {
inline namespace v0 {

/// A `part_usage` is a number of parts, and of the bytes that they take.
struct part_usage {
  std::uint64_t count = 0, bytes = 0;

  void add(std::uint64_t more_bytes) noexcept {
    ++count;
    bytes += more_bytes;
  }
};

/// An `object_usage` counts objects, the bytes of their payloads and masks, and the bytes that these decode to.
struct object_usage : part_usage {
  std::uint64_t decoded = 0;  ///< decoded bytes of objects whose decoded size is known
  std::uint64_t known = 0;    ///< stored bytes of the same objects

  void add(std::uint64_t stored_bytes, std::optional<std::uint64_t> decoded_bytes) noexcept {
    part_usage::add(stored_bytes);
    if (!decoded_bytes) return;
    decoded += *decoded_bytes;
    known += stored_bytes;
  }

  /// Returns decoded bytes per stored byte, of objects of known decoded size. Returns nothing if nothing is stored.
  std::optional<double> ratio() const noexcept {
    return known == 0 ? std::nullopt : std::optional(static_cast<double>(decoded) / static_cast<double>(known));
  }
};

/// A `disk_usage` says what the bytes of archives are used for. It is computed from structure and descriptors alone; no
/// payload is read.
///
/// Messages, objects and damage are added one by one, of any number of archives. What cannot be read is counted as
/// "unreadable", and is in `problems`.
/// Lifetime: independent of the archives. Thread safety: one thread at a time.
struct TGMAP_API disk_usage {
  /// Bytes by purpose: "payload", "masks", "descriptor", "metadata", "index", "hashes", "preceder", "unknown frame",
  /// "frame header and tail", "padding", "preamble and postamble", "version 1 message", "unreadable", "gap",
  /// "incomplete tail". After all messages and the damage of an archive were added, their sum is its size.
  std::map<std::string, part_usage> parts{};

  object_usage objects{};                          ///< all objects
  std::map<std::string, object_usage> dtypes{};    ///< objects by dtype: "float32"
  std::map<std::string, object_usage> codecs{};    ///< objects by codecs_of
  std::map<std::string, object_usage> by_value{};  ///< objects by the printed value of the key `by`; "N/A" without one

  /// Problems of messages and objects, the first 10 in all.
  std::vector<failure> problems{};

  /// Adds a message with its objects. Groups objects by the value of a key, too, if it is not null.
  /// Errors: throws std::bad_alloc. Complexity: O(frames), and O(bytes of the descriptors).
  void add(const message&, const metadata_key* by = nullptr);

  /// Adds one object: its payload and masks, but not its frame and descriptor. Errors: throws std::bad_alloc.
  void add(const message&, const object&, const metadata_key* by = nullptr);

  /// Adds gaps and the incomplete tail of an archive that is scanned completely. Errors: throws std::bad_alloc.
  void add_damage(const archive&);
};

/// Returns the names of the stages of a pipeline that do something: "simple_packing+szip"; "none" if there are none.
/// Errors: throws std::bad_alloc.
TGMAP_API std::string codecs_of(const descriptor&);

}  // namespace v0
}  // namespace tgmap
