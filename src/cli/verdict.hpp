// SPDX-License-Identifier: Apache-2.0
// How `validate` shows what it finds, in the words and members of the reference implementation.
#pragma once

#include <cstdint>
#include <string>
#include <tgmap/tools/validate.hpp>

#include "cli/json.hpp"

namespace tgmap::cli {

/// A line about bytes that belong to no message.
std::string passage_line(const std::string& file, const finding&);
/// A line about a finding in a message that begins at `message_offset`. Numbers count from 1.
std::string finding_line(const std::string& file, const finding&, std::uint64_t message_offset, bool with_offset);
/// The last line about a file.
std::string summary_line(const std::string& file, const validation_result&);

/// Members of `file_issues`, and of `message_reports` where notes are left out: they are no issues.
json passage_json(const finding&);
json report_json(const message_report&, bool with_offsets);

/// Every message has digests that match, and there is one.
bool hash_verified(const validation_result&) noexcept;

}  // namespace tgmap::cli
