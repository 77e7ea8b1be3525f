// SPDX-License-Identifier: Apache-2.0
// Surveys and sums of bytes as JSON. The pages of `info` and `du` and their schemas describe the members.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <tgmap/gap.hpp>
#include <tgmap/tools/survey.hpp>
#include <utility>
#include <vector>

#include "json/writer.hpp"

namespace tgmap::archives {

using json_writer = json_text::writer<>;

/// Writes an object: begin, end, code and cause; null for nothing.
void put(json_writer&, const gap&);
void put(json_writer&, const std::optional<incomplete_tail>&);

/// Writes an object: count and bytes; of objects also decoded bytes and their ratio.
void put(json_writer&, const part_usage&);
void put(json_writer&, const object_usage&);

/// Writes the members that say what the messages of an archive are, and what is damaged.
void put_members(json_writer&, const archive_survey&);

/// Writes the members that a survey has only with options: content, decoded and codecs.
void put_optional_members(json_writer&, const archive_survey&);

/// Sorts names by bytes, the largest first.
template <class Usage>
std::vector<std::pair<std::string, Usage>> by_bytes(const std::map<std::string, Usage>& of) {
  std::vector<std::pair<std::string, Usage>> out(of.begin(), of.end());
  std::stable_sort(out.begin(), out.end(),
                   [](const auto& a, const auto& b) { return a.second.bytes > b.second.bytes; });
  return out;
}

/// Writes the members of a sum of bytes: bytes, parts, objects, dtypes, codecs. With the name of a key also the bytes
/// by its values.
void put_members(json_writer&, const disk_usage&, const std::string& key);

}  // namespace tgmap::archives
