// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tgmap/archive.hpp>
#include <tgmap/query/metadata_key.hpp>
#include <vector>

#include "cli/print/json.hpp"

namespace tgmap::cli {

/// A number of bytes, and of parts that use them.
struct share {
  std::uint64_t count = 0, bytes = 0;
  void add(std::uint64_t more) noexcept {
    ++count;
    bytes += more;
  }
};

/// Bytes of payloads and masks of objects, and their decoded size.
struct object_share : share {
  std::uint64_t decoded = 0;  ///< decoded bytes of objects whose decoded size is known
  std::uint64_t known = 0;    ///< stored bytes of the same objects
  void add(std::uint64_t stored, std::optional<std::uint64_t> becomes) noexcept {
    share::add(stored);
    if (!becomes) return;
    decoded += *becomes;
    known += stored;
  }
  /// Returns decoded bytes per stored byte; empty if nothing is stored.
  std::optional<double> ratio() const noexcept {
    return known == 0 ? std::nullopt : std::optional(static_cast<double>(decoded) / static_cast<double>(known));
  }
};

/// The use of the bytes of an archive, computed from its structure only.
struct disk_usage {
  /// Bytes by purpose: "payload", "masks", "descriptor", "metadata", "index" …. Their sum is the archive.
  std::map<std::string, share> parts;
  /// All objects; objects by dtype, by codecs, and by the value of a key.
  object_share objects;
  std::map<std::string, object_share> dtypes, codecs, keys;
  std::vector<failure> problems;  ///< messages and objects that could not be read completely
};

/// Adds a message, or one of its objects. `by` is a key to group objects by, or null.
void add_usage(const message&, const metadata_key* by, disk_usage&);
void add_usage(const message&, const object&, const metadata_key* by, disk_usage&);

/// Returns count, stored and decoded bytes, and their ratio.
json as_json(const object_share&);

/// Adds gaps and the incomplete tail. The archive must be scanned completely.
void add_damage(const archive&, disk_usage&);

}  // namespace tgmap::cli
