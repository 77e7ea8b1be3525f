// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tgmap/tools/disk_usage.hpp>
#include <tgmap/tools/survey.hpp>
#include <utility>
#include <vector>

#include "reports/json.hpp"

namespace tgmap::reports {

/// Returns the keys, dtypes, shapes and codecs of an archive, as docs/schema/info.json describes them.
json to_json(const surveyed_content&);

/// Returns count and bytes; of objects also decoded bytes and their ratio.
json to_json(const part_usage&);
json to_json(const object_usage&);

/// Returns shares by size, the largest first.
template <class Share>
std::vector<std::pair<std::string, Share>> ranked(const std::map<std::string, Share>& of) {
  std::vector<std::pair<std::string, Share>> out(of.begin(), of.end());
  std::ranges::stable_sort(out, [](const auto& a, const auto& b) { return a.second.bytes > b.second.bytes; });
  return out;
}

/// Returns the sum of the bytes of all parts.
std::uint64_t total_bytes(const std::map<std::string, part_usage>&);

/// Returns where the bytes of an archive are, as docs/schema/du.json describes it. `key` names the key of
/// `disk_usage::by_value`; empty: none.
json to_json(const std::string& file, const disk_usage&, const std::string& key);

/// An `archive_summary` says what an archive contains, and how it was opened.
struct archive_summary : archive_survey {
  std::string file;
  std::optional<int> first_version;
  std::string io_mode;
  std::string io_reason;
  double elapsed_ms = 0;

  /// Returns the number of messages of version 1.
  std::uint64_t version_1() const {
    const auto found = versions.find(1);
    return found == versions.end() ? 0 : found->second;
  }
};

/// Returns the summary as docs/schema/info.json describes it.
json to_json(const archive_summary&);

}  // namespace tgmap::reports
