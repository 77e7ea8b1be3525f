// SPDX-License-Identifier: Apache-2.0
// Where the bytes of an archive go, found out from its structure alone.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tgmap/archive.hpp>
#include <tgmap/keys.hpp>
#include <vector>

namespace tgmap::cli {

/// Bytes, and of how many things.
struct share {
  std::uint64_t count = 0, bytes = 0;
  void add(std::uint64_t more) noexcept {
    ++count;
    bytes += more;
  }
};

struct usage {
  /// What bytes are for: "payload", "masks", "descriptor", "metadata", "index" …. Together they are the archive.
  std::map<std::string, share> parts;
  /// Of objects, payload and masks: by dtype, by what stands before the elements, and by the text under a key.
  std::map<std::string, share> dtypes, codecs, keys;
  std::vector<failure> problems;  ///< messages and objects that could not be looked at whole
};

/// Adds a message, or one object of it. `by`: to tell objects apart by; null: nothing.
void add_usage(const message&, const key* by, usage&);
void add_usage(const message&, const object&, const key* by, usage&);

/// Adds what lies between messages and behind them. The scan of the archive is complete.
void add_damage(const archive&, usage&);

}  // namespace tgmap::cli
