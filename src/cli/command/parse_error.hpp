// SPDX-License-Identifier: Apache-2.0
// Describes mistakes in a command line in the user's words.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace tgmap::cli {

/// Returns what is wrong with a command line that could not be parsed: an unknown verb or option with the nearest known
/// one, or which option, argument or environment variable is wrong and why.
std::string describe_parse_error(const CLI::App& command, const std::vector<std::string>& arguments,
                                 const CLI::ParseError&);

/// Returns the word that is spelled most like `wanted`, for "did you mean"; empty if none is similar.
std::string nearest_word(std::string_view wanted, const std::vector<std::string>& words);

}  // namespace tgmap::cli
