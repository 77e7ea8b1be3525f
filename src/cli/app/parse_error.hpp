// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace tgmap::cli {

/// Returns what is wrong with a command line that could not be parsed: an unknown verb or option with the nearest known
/// one, or the parser's own message.
std::string describe_parse_error(const CLI::App& command, const std::vector<std::string>& arguments,
                                 const CLI::ParseError&);

/// The word that is spelled most like `wanted`, for "did you mean"; empty when none is near.
std::string nearest_word(std::string_view wanted, const std::vector<std::string>& words);

}  // namespace tgmap::cli
