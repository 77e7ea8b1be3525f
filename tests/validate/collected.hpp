// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <support/bytes.hpp>
#include <support/failures.hpp>
#include <tgmap/tgmap.hpp>
#include <vector>

namespace tgmap_test {

/// Everything a validation says, kept.
struct collected : tgmap::validation_visitor {
  struct verdict {
    std::size_t index;
    std::uint64_t offset, objects, not_decoded;
    bool hash_verified;
    std::vector<tgmap::finding> findings;
  };
  std::vector<tgmap::finding> passages;
  std::vector<verdict> messages;
  tgmap::validation_result result;

  void unclaimed_bytes(const tgmap::finding&) override;
  void message(const tgmap::message_report&) override;

  /// "error: frame_too_small", of all messages.
  std::set<std::string> said() const;
  /// The one finding of that code.
  const tgmap::finding& the(tgmap::finding_code) const;
};

collected check(const tgmap::archive&, const tgmap::validate_options& = {});
/// Of bytes in memory, damage skipped.
collected check(const bytes&, tgmap::validation_mode = tgmap::validation_mode::standard);

using words = std::set<std::string>;

}  // namespace tgmap_test
