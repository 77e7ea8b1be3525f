// SPDX-License-Identifier: Apache-2.0
// Where the bytes of an archive go, found out from its structure alone.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tgmap/archive.hpp>
#include <tgmap/query/metadata_key.hpp>
#include <vector>

#include "cli/json.hpp"

namespace tgmap::cli {

/// Bytes, and of how many things.
struct share {
  std::uint64_t count = 0, bytes = 0;
  void add(std::uint64_t more) noexcept {
    ++count;
    bytes += more;
  }
};

/// The same of objects, payload and masks, and what they come to when they are decoded.
struct object_share : share {
  std::uint64_t decoded = 0;  ///< bytes, of those of which that is known
  std::uint64_t known = 0;    ///< bytes stored, of the same
  void add(std::uint64_t stored, std::optional<std::uint64_t> becomes) noexcept {
    share::add(stored);
    if (!becomes) return;
    decoded += *becomes;
    known += stored;
  }
  /// Decoded bytes for each stored one; nothing where there are none.
  std::optional<double> ratio() const noexcept {
    return known == 0 ? std::nullopt : std::optional(static_cast<double>(decoded) / static_cast<double>(known));
  }
};

struct usage {
  /// What bytes are for: "payload", "masks", "descriptor", "metadata", "index" …. Together they are the archive.
  std::map<std::string, share> parts;
  /// All objects, and those by dtype, by what stands before the elements, and by the text under a key.
  object_share objects;
  std::map<std::string, object_share> dtypes, codecs, keys;
  std::vector<failure> problems;  ///< messages and objects that could not be looked at whole
};

/// Adds a message, or one object of it. `by`: to tell objects apart by; null: nothing.
void add_usage(const message&, const metadata_key* by, usage&);
void add_usage(const message&, const object&, const metadata_key* by, usage&);

/// Count, bytes stored and decoded, and their ratio.
json as_json(const object_share&);

/// Adds what lies between messages and behind them. The scan of the archive is complete.
void add_damage(const archive&, usage&);

}  // namespace tgmap::cli
