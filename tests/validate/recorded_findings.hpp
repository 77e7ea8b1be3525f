// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <support/bytes.hpp>
#include <support/failures.hpp>
#include <tgmap/tgmap.hpp>
#include <vector>

namespace tgmap_test {

/// A visitor that keeps all findings.
struct recorded_findings : tgmap::validation_visitor {
  struct recorded_message {
    std::size_t index;
    std::uint64_t offset, objects, not_decoded;
    bool hash_verified;
    std::vector<tgmap::finding> findings;
  };
  std::vector<tgmap::finding> unclaimed;
  std::vector<recorded_message> messages;
  tgmap::validation_result result;

  void unclaimed_bytes(const tgmap::finding&) override;
  void message(const tgmap::message_report&) override;

  /// Returns text such as "error: frame_too_small" for the findings of all messages.
  std::set<std::string> codes() const;
  /// Returns the only finding with this code. Errors: throws std::runtime_error if there are none, or several.
  const tgmap::finding& only(tgmap::finding_code) const;
};

recorded_findings check(const tgmap::archive&, const tgmap::validate_options& = {});
/// Validates bytes in memory, and skips damage.
recorded_findings check(const bytes&, tgmap::validation_mode = tgmap::validation_mode::standard);

using code_set = std::set<std::string>;

}  // namespace tgmap_test
