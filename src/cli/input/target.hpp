// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <tgmap/tools/address.hpp>
#include <vector>

namespace tgmap::cli {

/// The address that a verb works on. The file "-" is standard input.
using target = archive_address;
using file_test = archive_address::file_test;

/// Returns true if the path exists, readable or not, or is "-".
bool exists_on_disk(const std::string& path);

/// The path that stands for "-" in arguments such as "-:0", which CLI11 would take for options (see command.cpp).
inline constexpr std::string_view standard_input = "/dev/stdin";

/// Parses a target, as archive_address::parse.
/// Errors: usage_error if a file exists but is not followed by numbers.
target parse_target(std::string_view text, const file_test& exists = exists_on_disk);

/// Parses all targets before any is opened, so that a mistake in the last one is reported before any output.
std::vector<target> parse_targets(const std::vector<std::string>&);

/// Parses targets that must not name objects, for verbs that copy whole messages.
std::vector<target> whole_messages(const std::vector<std::string>&);

}  // namespace tgmap::cli
