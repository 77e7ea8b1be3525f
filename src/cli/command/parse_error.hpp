// SPDX-License-Identifier: Apache-2.0
// Describes mistakes in a command line in the user's words.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace tgmap::cli {

/// Returns what is wrong with a command line that could not be parsed: an unknown verb or option with the nearest known
/// one, or which option, argument or environment variable is wrong and why.
std::string describe_parse_error(const CLI::App& command, const std::vector<std::string>& arguments,
                                 const CLI::ParseError&);

}  // namespace tgmap::cli
