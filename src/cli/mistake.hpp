// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace tgmap::cli {

/// What is wrong with a command line that could not be parsed: the verb or option that there is none of, with the one
/// that is spelled like it; else what the parser says.
std::string describe_mistake(const CLI::App& command, const std::vector<std::string>& arguments,
                             const CLI::ParseError&);

}  // namespace tgmap::cli
